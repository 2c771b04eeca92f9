// How many requests for sockets a worker hands on for one client in a minute. The serving thread
// counts each of them as a native request (WS-5), so that it would refuse all beyond.

import type { Clock } from '../../std/clock.ts';
import type { Caller } from '../arrival.ts';
import { limitKeyOf } from '../identity/limitKey.ts';
import {
  type Counter,
  createCounter,
  createGenerations,
  recordOf,
  takeInMinute,
} from '../rateLimits.ts';
import { clientOf } from '../visit.ts';

/** Clients that are counted in one minute; those beyond are handed on. */
const clientsMax = 50_000;

export type UpgradeLimit = {
  readonly trustedProxies: ReadonlySet<string>;
  readonly upgradesMax: number;
  readonly clock: Clock;
};

/** Whether one more may be handed on; counts it if so. */
export function createUpgradeLimit(limit: UpgradeLimit): (caller: Caller) => boolean {
  const { upgradesMax: ceiling, clock } = limit;
  const counters = createGenerations<string, Counter | undefined>({
    make: createCounter,
    // The serving thread counts who is not counted here.
    crowd: undefined,
    sizeMax: clientsMax,
  });
  return (caller) => {
    const now = clock.now();
    const counter = recordOf(counters, limitKeyOf(clientOf(limit, caller)), now);
    return counter === undefined || takeInMinute(counter, { amount: 1, ceiling, now });
  };
}
