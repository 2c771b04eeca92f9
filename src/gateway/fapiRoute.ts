// One FAPI request over HTTP, from the socket to its row. Who is let in is admitKey.ts's to say.

import { type Fields, noFields } from '../api/fields.ts';
import type { Operation } from '../api/operation.ts';
import { isRefusal } from '../api/readParameters.ts';
import type { Refusal } from '../api/refusal.ts';
import {
  admitKey,
  hasPublicWeight,
  type KeyProof,
  type KnownKey,
  knowKey,
  passGate,
  takePublicWeight,
} from './admitKey.ts';
import type { Serve } from './arrival.ts';
import {
  checkSignature,
  isSigned,
  type SignedRequest,
  signatureMatches,
} from './checkSignature.ts';
import type { Gateway } from './gateway.ts';
import type { HmacKey } from './identity/hmacSignature.ts';
import { parsePairs, queryOf } from './parsePairs.ts';
import { requestBodyOf } from './requestBody.ts';
import { queryFields, requestFields } from './requestFields.ts';
import type { ServedRow } from './servedRow.ts';
import {
  type HttpVisit,
  nobody,
  openVisit,
  performVisit,
  readVisit,
  refuseVisit,
} from './visit.ts';

/** The least that a request of the row can weigh: what is known before it is read. */
function leastWeight({ weight }: Operation): number {
  return typeof weight === 'number' ? weight : 1;
}

function weightOf({ weight }: Operation, fields: Fields | Refusal): number {
  if (typeof weight === 'number') return weight;
  return weight(isRefusal(fields) ? noFields : fields);
}

/** Serves a public row: the weight of the client's address, then the row. */
export function serveFapiPublic(gateway: Gateway, served: ServedRow): Serve {
  const { row } = served;
  return (arrival, exit) => {
    const visit = openVisit(gateway, row, arrival, exit);
    if (!hasPublicWeight(visit, leastWeight(row))) return;
    const fields = queryFields(parsePairs(queryOf(arrival.target)));
    if (!takePublicWeight(visit, weightOf(row, fields))) return;
    if (isRefusal(fields)) refuseVisit(visit, fields);
    else performVisit(visit, served, fields, nobody);
  };
}

/** Refuses whatever comes, as a path that no row has. It weighs as every other route does. */
export function refuseFapi(gateway: Gateway, row: Operation, refusal: Refusal): Serve {
  return (arrival, exit) => {
    const visit = openVisit(gateway, row, arrival, exit);
    if (takePublicWeight(visit, 1)) refuseVisit(visit, refusal);
  };
}

/**
 * Serves a row that asks for a key, and unless the key alone will do for a signature. What the head
 * alone can refuse is refused before the query is read or the body has come.
 */
export function serveFapiSigned(gateway: Gateway, served: ServedRow): Serve {
  const { row } = served;
  return (arrival, exit) => {
    const visit = openVisit(gateway, row, arrival, exit);
    if (!passGate(visit)) return;
    const text = arrival.headers['x-mbx-apikey'];
    const apiKey = typeof text === 'string' ? text : '';
    const known = knowKey(visit, apiKey, leastWeight(row));
    if (known === undefined) return;
    readVisit(visit, (read, bytes, waited) => {
      // What became of the key while its body came counts.
      const still = waited ? knowKey(read, apiKey, leastWeight(row)) : known;
      if (still !== undefined) takeSigned(read, served, still, bytes);
    });
  };
}

function takeSigned(
  visit: HttpVisit,
  served: ServedRow,
  known: KnownKey,
  bytes: Buffer | undefined,
): void {
  const { arrival, row } = visit;
  const query = parsePairs(queryOf(arrival.target));
  const body = requestBodyOf(bytes, arrival.headers['content-type']);
  const weight = typeof row.weight === 'number' ? row.weight : weightOf(row, queryFields(query));
  const proof = proofOf(visit, { query, body, now: visit.now });
  const admitted = admitKey(visit, known, proof, weight);
  if (admitted === undefined) return;
  if (proof.proven !== undefined) arrival.learn?.(admitted.apiKey.apiKey, proof.proven);
  const fields = requestFields(query, body, served.bodyList);
  if (isRefusal(fields)) refuseVisit(visit, fields);
  else performVisit(visit, served, fields, admitted);
}

/** `proven`: the key whose secret this thread itself has found the signature to be of. */
type HttpProof = KeyProof & { proven: HmacKey | undefined };

function proofOf({ arrival }: HttpVisit, signed: SignedRequest): HttpProof {
  const { verdict } = arrival;
  const proof: HttpProof = {
    isSigned: () => isSigned(signed),
    check: (key) => {
      if (verdict !== 'unknown') return checkSignature(() => verdict === 'valid', signed);
      const refusal = checkSignature(() => signatureMatches(key, signed), signed);
      if (refusal === undefined) proof.proven = key;
      return refusal;
    },
    proven: undefined,
  };
  return proof;
}
