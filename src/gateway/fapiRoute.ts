// One FAPI request over HTTP, from the socket to its row. Who is let in is admitKey.ts's to say.

import { noFields } from '../api/fields.ts';
import type { Operation } from '../api/operation.ts';
import { isRefusal } from '../api/readParameters.ts';
import type { Refusal } from '../api/refusal.ts';
import { admitKey, type KeyProof, passGate, takePublicWeight } from './admitKey.ts';
import type { Serve } from './arrival.ts';
import {
  checkSignature,
  isSigned,
  type SignedRequest,
  signatureMatches,
} from './checkSignature.ts';
import type { Gateway } from './gateway.ts';
import type { HmacKey } from './identity/hmacSignature.ts';
import { type Pairs, parsePairs, queryOf } from './parsePairs.ts';
import { requestBodyOf } from './requestBody.ts';
import { queryFields, requestFields } from './requestFields.ts';
import type { ServedRow } from './servedRow.ts';
import { type HttpVisit, nobody, openVisit, performVisit, refuseVisit } from './visit.ts';

function weightOf(row: Operation, query: Pairs): number {
  if (typeof row.weight === 'number') return row.weight;
  const fields = queryFields(query);
  return row.weight(isRefusal(fields) ? noFields : fields);
}

/** Serves a public row: the weight of the client's address, then the row. */
export function serveFapiPublic(gateway: Gateway, served: ServedRow): Serve {
  const { row } = served;
  return (arrival, exit) => {
    const visit = openVisit(gateway, row, arrival, exit);
    const query = parsePairs(queryOf(arrival.target));
    if (!takePublicWeight(visit, weightOf(row, query))) return;
    const fields = queryFields(query);
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

/** Serves a row that asks for a key, and unless the key alone will do for a signature. */
export function serveFapiSigned(gateway: Gateway, served: ServedRow): Serve {
  const { row } = served;
  return (arrival, exit) => {
    const visit = openVisit(gateway, row, arrival, exit);
    if (!passGate(visit)) return;
    const query = parsePairs(queryOf(arrival.target));
    const body = requestBodyOf(arrival.body, arrival.headers['content-type']);
    const proof = proofOf(visit, { query, body, now: visit.now });
    const admitted = admitKey(visit, proof, weightOf(row, query));
    if (admitted === undefined) return;
    if (proof.proven !== undefined) arrival.learn?.(proof.apiKey, proof.proven);
    const fields = requestFields(query, body, served.bodyList);
    if (isRefusal(fields)) refuseVisit(visit, fields);
    else performVisit(visit, served, fields, admitted);
  };
}

/** `proven`: the key whose secret this thread itself has found the signature to be of. */
type HttpProof = KeyProof & { proven: HmacKey | undefined };

function proofOf({ arrival }: HttpVisit, signed: SignedRequest): HttpProof {
  const { headers, verdict } = arrival;
  const text = headers['x-mbx-apikey'];
  const proof: HttpProof = {
    apiKey: typeof text === 'string' ? text : '',
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
