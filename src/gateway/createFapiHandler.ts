// The handlers of FAPI over HTTP: one for public rows, one for signed rows. Which keys and
// signatures are admitted is decided in admitKey.ts.

import type { Operation } from '../api/operation.ts';
import { isRefusal } from '../api/readParameters.ts';
import type { Refusal } from '../api/refusal.ts';
import { assert } from '../std/assert.ts';
import {
  admitKey,
  findKey,
  hasPublicWeight,
  type KeyProof,
  type KnownKey,
  passGate,
  takePublicWeight,
} from './admitKey.ts';
import {
  checkSignature,
  isSigned,
  type SignedRequest,
  signatureMatches,
} from './checkSignature.ts';
import type { Endpoint } from './endpoint.ts';
import type { Gateway } from './gateway.ts';
import type { HmacKey } from './identity/hmacSignature.ts';
import type { Handler } from './incomingRequest.ts';
import { keyArrival } from './keyArrival.ts';
import { parsePairs, queryOf } from './parsePairs.ts';
import {
  openRequest,
  type PendingHttpRequest,
  receiveBody,
  refuseRequest,
} from './pendingRequest.ts';
import { anonymous, failRequest, performOperation } from './performOperation.ts';
import { requestBodyOf } from './requestBody.ts';
import { queryFields, requestFields } from './requestFields.ts';
import { weightOf } from './weightOf.ts';

export function createFapiHandler(gateway: Gateway, endpoint: Endpoint): Handler {
  const { auth } = endpoint.row;
  assert(['none', 'key', 'keyOnly'].includes(auth), 'FAPI is public or asks for a key');
  return auth === 'none'
    ? createPublicHandler(gateway, endpoint)
    : createSignedHandler(gateway, endpoint);
}

/** The least that a request of the row can weigh. It is known before the request is read. */
function leastWeight({ weight }: Operation): number {
  return typeof weight === 'number' ? weight : 1;
}

/** Counts the weight for the client's address, then performs the operation. */
function createPublicHandler(gateway: Gateway, endpoint: Endpoint): Handler {
  const { row } = endpoint;
  return (incoming, responder) => {
    const request = openRequest(gateway, row, incoming, responder);
    if (!hasPublicWeight(request, leastWeight(row))) return;
    const fields = queryFields(parsePairs(queryOf(incoming.target)));
    if (
      !takePublicWeight(
        request,
        weightOf(row, () => fields),
      )
    )
      return;
    if (isRefusal(fields)) refuseRequest(request, fields);
    else performOperation(request, endpoint, fields, anonymous);
  };
}

/** Refuses every request, as for a path that no row has. It weighs as every other route does. */
export function createFapiRefusal(gateway: Gateway, row: Operation, refusal: Refusal): Handler {
  return (incoming, responder) => {
    const request = openRequest(gateway, row, incoming, responder);
    if (takePublicWeight(request, 1)) refuseRequest(request, refusal);
  };
}

/**
 * For a row that asks for a key and, unless the row takes the key alone, for a signature. What the
 * head alone can refuse is refused before the query is read and before the body has come.
 */
function createSignedHandler(gateway: Gateway, endpoint: Endpoint): Handler {
  const { row } = endpoint;
  return (incoming, responder) => {
    const request = openRequest(gateway, row, incoming, responder);
    if (!passGate(request)) return;
    const text = incoming.headers['x-mbx-apikey'];
    const apiKey = typeof text === 'string' ? text : '';
    const serve = (): void => {
      const known = findKey(request, apiKey, leastWeight(row));
      if (known === undefined) return;
      receiveBody(request, (received, bytes, waited) => {
        // The key may have changed while the body came.
        const still = waited ? findKey(received, apiKey, leastWeight(row)) : known;
        if (still !== undefined) takeSigned(received, endpoint, still, bytes);
      });
    };
    const arriving = keyArrival(gateway, { text: apiKey, client: request.client });
    if (arriving === undefined) serve();
    else {
      arriving
        .then((refusal) => (refusal === undefined ? serve() : refuseRequest(request, refusal)))
        .catch((error) => failRequest(request, error));
    }
  };
}

function takeSigned(
  request: PendingHttpRequest,
  endpoint: Endpoint,
  known: KnownKey,
  bytes: Buffer | undefined,
): void {
  const { incoming, row } = request;
  const query = parsePairs(queryOf(incoming.target));
  const body = requestBodyOf(bytes, incoming.headers['content-type']);
  const weight = weightOf(row, () => queryFields(query));
  const proof = proofOf(request, { query, body, now: request.now });
  const admitted = admitKey(request, known, proof, weight);
  if (admitted === undefined) return;
  if (proof.proven !== undefined) incoming.learn?.(admitted.apiKey.apiKey, proof.proven);
  const fields = requestFields(query, body, endpoint.bodyList);
  if (isRefusal(fields)) refuseRequest(request, fields);
  else performOperation(request, endpoint, fields, admitted);
}

/** `proven`: the key whose signature this thread itself has checked and found good. */
type HttpProof = KeyProof & { proven: HmacKey | undefined };

function proofOf({ incoming }: PendingHttpRequest, signed: SignedRequest): HttpProof {
  const { verdict } = incoming;
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
