// Makes a client of a deployment from the operations table. It keeps no state: another token or
// key is another client.

import { fapiOperations } from '../api/fapi/fapiOperations.ts';
import type { Operation } from '../api/operation.ts';
import { nativeOperations, operatorOperations, probeOperations } from '../api/operations.ts';
import { type Clock, systemClock } from '../std/clock.ts';
import { ApiError } from './apiError.ts';
import type { Client } from './client.ts';
import {
  type CallOptions,
  type Credentials,
  rowRequest,
  type SentParameters,
} from './rowRequest.ts';

export type ClientOptions = Credentials & {
  /** Without a slash at its end, for example http://127.0.0.1:8080. */
  readonly baseUrl: string;
  /** The operator's listener; calls of the operator surface go there. */
  readonly operatorUrl?: string;
  readonly fetch?: typeof fetch;
  /** For the timestamp of signatures; the wall clock unless given. */
  readonly clock?: Clock;
};

/** Every call rejects with an ApiError unless the answer is a success. */
export function createClient(options: ClientOptions): Client {
  const surface = (rows: Readonly<Record<string, Operation>>): unknown =>
    Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, callOf(row, options)]));
  // Types come from the same rows (client.ts), so the cast says nothing that the rows do not.
  return {
    fapi: surface(fapiOperations),
    native: surface(nativeOperations),
    operator: surface(operatorOperations),
    probes: surface(probeOperations),
  } as Client;
}

function callOf(row: Operation, options: ClientOptions) {
  const { clock = systemClock, fetch: send = fetch } = options;
  const address =
    row.surface === 'operator' ? (options.operatorUrl ?? options.baseUrl) : options.baseUrl;
  return async (parameters: SentParameters = {}, call: CallOptions = {}): Promise<unknown> => {
    const request = rowRequest(row, parameters, { ...options, ...call, now: clock.now() });
    const { method, headers, body } = request;
    const init = body === undefined ? { method, headers } : { method, headers, body };
    const response = await send(address + request.path, init);
    const text = await response.text();
    if (!response.ok) {
      throw new ApiError({ operation: row.name, status: response.status, body: text });
    }
    if (text === '') return null;
    const json = response.headers.get('content-type')?.includes('json') === true;
    return json ? (JSON.parse(text) as unknown) : text;
  };
}
