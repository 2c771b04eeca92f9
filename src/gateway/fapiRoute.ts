// One FAPI request over HTTP, from the socket to its row. Who is let in is admitKey.ts's to say.

import { noFields } from '../api/fields.ts';
import type { Operation } from '../api/operation.ts';
import { isRefusal } from '../api/readParameters.ts';
import type { Refusal } from '../api/refusal.ts';
import { admitKey, type KeyProof, passGate, takePublicWeight } from './admitKey.ts';
import { checkSignature, isSigned, type SignedRequest } from './checkSignature.ts';
import type { Gateway } from './gateway.ts';
import { type Pairs, parsePairs, queryOf } from './parsePairs.ts';
import { requestBodyOf } from './requestBody.ts';
import { queryFields, requestFields } from './requestFields.ts';
import type { ServedRow } from './servedRow.ts';
import {
  type HttpVisit,
  nobody,
  openVisit,
  performVisit,
  refuseVisit,
  type Serve,
} from './visit.ts';

function weightOf(row: Operation, query: Pairs): number {
  if (typeof row.weight === 'number') return row.weight;
  const fields = queryFields(query);
  return row.weight(isRefusal(fields) ? noFields : fields);
}

/** Serves a public row: the weight of the client's address, then the row. */
export function serveFapiPublic(gateway: Gateway, served: ServedRow): Serve {
  const { row } = served;
  return (request, reply) => {
    const visit = openVisit(gateway, row, request, reply);
    const query = parsePairs(queryOf(request.raw.url ?? ''));
    if (!takePublicWeight(visit, weightOf(row, query))) return;
    const fields = queryFields(query);
    if (isRefusal(fields)) refuseVisit(visit, fields);
    else performVisit(visit, served, fields, nobody);
  };
}

/** Refuses whatever comes, as a path that no row has. It weighs as every other route does. */
export function refuseFapi(gateway: Gateway, row: Operation, refusal: Refusal): Serve {
  return (request, reply) => {
    const visit = openVisit(gateway, row, request, reply);
    if (takePublicWeight(visit, 1)) refuseVisit(visit, refusal);
  };
}

/** Serves a row that asks for a key, and unless the key alone will do for a signature. */
export function serveFapiSigned(gateway: Gateway, served: ServedRow): Serve {
  const { row } = served;
  return (request, reply) => {
    const visit = openVisit(gateway, row, request, reply);
    if (!passGate(visit)) return;
    const query = parsePairs(queryOf(request.raw.url ?? ''));
    const body = requestBodyOf(request.body, request.raw.headers['content-type']);
    const proof = proofOf(visit, { query, body, now: visit.now });
    const admitted = admitKey(visit, proof, weightOf(row, query));
    if (admitted === undefined) return;
    const fields = requestFields(query, body, served.bodyList);
    if (isRefusal(fields)) refuseVisit(visit, fields);
    else performVisit(visit, served, fields, admitted);
  };
}

function proofOf({ request }: HttpVisit, signed: SignedRequest): KeyProof {
  const text = request.raw.headers['x-mbx-apikey'];
  return {
    apiKey: typeof text === 'string' ? text : '',
    isSigned: () => isSigned(signed),
    check: (key) => checkSignature(key, signed),
  };
}
