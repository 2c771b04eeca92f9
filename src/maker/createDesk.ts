// What the maker or a member of the crowd uses to send requests: its counts against the exchange's
// limits, the ids of its orders, and its complaints. makerRequests.ts has the requests.

import type { Clock } from '../std/clock.ts';
import type { MakerClient } from './makerClient.ts';
import type { MakerDesk } from './makerRequests.ts';
import { createRateBudget } from './rateBudget.ts';

/** Receives what the operator should know: one sentence, without secrets. */
export type Report = (message: string) => void;

/** What a client may use of its key's limits. */
export type DeskLimits = {
  readonly ordersPer10s: number;
  readonly ordersPerMinute: number;
  readonly weightPerMinute: number;
};

export type CreateDesk = {
  readonly client: MakerClient;
  readonly clock: Clock;
  readonly limits: DeskLimits;
  /** The prefix of the client ids of all its orders. */
  readonly prefix: string;
  readonly lookAgain: () => void;
  readonly trouble: (key: string, message: string) => void;
};

/** A desk whose client ids no earlier run has used. */
export function createDesk(options: CreateDesk): MakerDesk {
  const { client, clock, limits, prefix, lookAgain, trouble } = options;
  const run = clock.now().toString(36);
  let serial = 0;
  const orders = createRateBudget(clock, [
    { milliseconds: 10_000, max: limits.ordersPer10s },
    { milliseconds: 60_000, max: limits.ordersPerMinute },
  ]);
  const weights = createRateBudget(clock, [{ milliseconds: 60_000, max: limits.weightPerMinute }]);
  client.onCounts(({ status, weightPerMinute, ordersPer10s, ordersPerMinute }) => {
    if (weightPerMinute !== undefined) weights.observe(60_000, weightPerMinute);
    if (ordersPer10s !== undefined) orders.observe(10_000, ordersPer10s);
    if (ordersPerMinute !== undefined) orders.observe(60_000, ordersPerMinute);
    if (status === 429) orders.exhaust();
  });
  return {
    client,
    orders,
    weights,
    prefix,
    nextClientOrderId: () => {
      serial += 1;
      return `${prefix}${run}-${serial.toString(36)}`;
    },
    lookAgain,
    trouble,
  };
}
