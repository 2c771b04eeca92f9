// Makes the functions of a client from routes: the request of each call, and the result from its
// answer. It keeps no state: another token or key needs new functions.

import type { Route } from '../api/operation.ts';
import { type Clock, systemClock } from '../std/clock.ts';
import { ApiError } from './apiError.ts';
import {
  type CallOptions,
  type Credentials,
  rowRequest,
  type SentParameters,
  type Sign,
} from './rowRequest.ts';

export type CallsOptions = Credentials & {
  /** Without a slash at its end, for example http://127.0.0.1:8080. */
  readonly baseUrl: string;
  readonly fetch?: typeof fetch;
  /** For the timestamp of signatures; the wall clock unless given. */
  readonly clock?: Clock;
  /** Makes the signatures for rows that require one; WebCrypto by default. */
  readonly sign?: Sign;
};

type UntypedCall = (parameters?: SentParameters, call?: CallOptions) => Promise<unknown>;

/** Every call rejects with an ApiError unless the answer is a success. */
export function createCalls(
  routes: Readonly<Record<string, Route>>,
  options: CallsOptions,
): Readonly<Record<string, UntypedCall>> {
  return Object.fromEntries(
    Object.entries(routes).map(([name, route]) => [name, callOf(name, route, options)]),
  );
}

function callOf(name: string, route: Route, options: CallsOptions): UntypedCall {
  const { clock = systemClock, fetch: send = fetch, baseUrl } = options;
  return async (parameters = {}, call = {}) => {
    const request = await rowRequest(route, parameters, { ...options, ...call, now: clock.now() });
    const { method, headers, body } = request;
    const init = body === undefined ? { method, headers } : { method, headers, body };
    const response = await send(baseUrl + request.path, init);
    const text = await response.text();
    if (!response.ok) {
      throw new ApiError({ operation: name, status: response.status, body: text });
    }
    if (text === '') return null;
    const json = response.headers.get('content-type')?.includes('json') === true;
    return json ? (JSON.parse(text) as unknown) : text;
  };
}
