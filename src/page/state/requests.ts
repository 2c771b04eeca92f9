// Requests of the page: the native operations by their names in the operations table, with the
// token of the login, patience with limits, and one repetition where a repetition is harmless.

import type { Client } from '../../client/client.ts';
import { createNativeClient } from '../../client/createNativeClient.ts';
import type { Clock } from '../../std/clock.ts';
import { readRefusals } from '../messages/refusals.ts';
import { pageRoutes } from './pageRoutes.ts';
import type { ServerClock } from './serverClock.ts';
import type { Session } from './session.ts';

export type Requests = Pick<Client['native'], keyof typeof pageRoutes>;

export type RequestsOptions = {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly session: Session;
  readonly clock: Clock;
  /** Resolves after this many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
};

/** A request that only reads is asked again after 429, at most so often. */
const readingTriesMax = 3;
const firstWaitMs = 1000;
/** A request without an answer for so long has failed. */
const patienceMs = 15_000;

/** Every call rejects with an ApiError unless the answer is a success. */
export function createRequests(options: RequestsOptions): Requests {
  const { baseUrl, session } = options;
  return createNativeClient(pageRoutes, {
    baseUrl,
    clock: options.clock,
    fetch: patientFetch(options),
    // Read at every call: logins come and go.
    get token() {
      return session.login.value?.token;
    },
  } as Parameters<typeof createNativeClient>[1]);
}

function patientFetch({ fetch: send, session, wait }: RequestsOptions): typeof fetch {
  const sendOnce: typeof fetch = (input, init) =>
    send(input, { ...init, signal: AbortSignal.timeout(patienceMs), cache: 'no-store' });
  return async (input, init) => {
    const token = session.login.value?.token;
    const reads = init?.method === 'GET';
    // With its key a repeated request gets the result of the first one (ID-3).
    const headers = (init?.headers ?? {}) as Readonly<Record<string, string>>;
    const repeatable = reads || headers['idempotency-key'] !== undefined;
    let response: Response;
    try {
      response = await sendOnce(input, init);
    } catch (error) {
      if (!repeatable) throw error;
      await wait(firstWaitMs);
      response = await sendOnce(input, init);
    }
    for (let tries = 1; reads && response.status === 429 && tries < readingTriesMax; tries += 1) {
      await wait(firstWaitMs * 2 ** (tries - 1));
      response = await sendOnce(input, init);
    }
    // What a visitor only reads needs no explanation.
    if (!response.ok && (!reads || headers.authorization !== undefined)) await readRefusals();
    const sentToken = headers.authorization !== undefined ? token : undefined;
    if (sentToken !== undefined && (await isTokenRefused(response))) session.expire(sentToken);
    return response;
  };
}

/** Other refusals with 401 leave the login as it is: a new key only asks for a fresher one. */
async function isTokenRefused(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  const body = (await response.clone().json()) as { readonly error?: { readonly code?: unknown } };
  return body.error?.code === 'INVALID_TOKEN';
}

/** Learns the exchange's time. */
export async function learnTime(
  { fetch: send, baseUrl, clock }: RequestsOptions,
  serverClock: ServerClock,
): Promise<void> {
  const askedAt = clock.now();
  const response = await send(`${baseUrl}/fapi/v1/time`);
  if (!response.ok) return;
  const { serverTime } = (await response.json()) as { readonly serverTime: number };
  serverClock.learn({ serverTime, askedAt, heardAt: clock.now() });
}
