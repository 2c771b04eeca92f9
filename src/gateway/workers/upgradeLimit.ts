// How many requests for sockets a worker forwards for one client in a minute. The serving thread
// counts each of them as a native request (WS-5), so that it would refuse all others.

import type { Clock } from '../../std/clock.ts';
import { limitKeyOf } from '../identity/limitKey.ts';
import type { Caller } from '../incomingRequest.ts';
import { clientOf } from '../pendingRequest.ts';
import { createGenerations, recordOf, takeInMinute } from '../rateLimits.ts';
import { type Counter, createCounter } from '../tallies.ts';

/** Clients that are counted in one minute; the requests of others are forwarded. */
const clientsMax = 50_000;

export type UpgradeLimit = {
  readonly trustedProxies: ReadonlySet<string>;
  readonly upgradesMax: number;
  readonly clock: Clock;
};

/** Whether one more request may be forwarded; if so, it counts it. */
export function createUpgradeLimit(limit: UpgradeLimit): (caller: Caller) => boolean {
  const { upgradesMax: ceiling, clock } = limit;
  const counters = createGenerations<string, Counter | undefined>({
    make: () => createCounter(),
    // The serving thread counts the clients that are not counted here.
    overflow: undefined,
    sizeMax: clientsMax,
  });
  return (caller) => {
    const now = clock.now();
    const counter = recordOf(counters, limitKeyOf(clientOf(limit, caller)), now);
    return counter === undefined || takeInMinute(counter, { amount: 1, ceiling, now });
  };
}
