// The order limits that the processes of a deployment share (gateway/takeCharge.ts): what a
// process counts of the batches of others, and what it decides when it has the lease itself.

import {
  adoptLogged,
  adoptSender,
  countLogged,
  createLoggedOrders,
  giveBack,
  type OrderLimits,
  type OrderSender,
  takeCharge,
} from '../gateway/takeCharge.ts';
import { type Beside, decodeBeside } from '../link/beside.ts';
import type { RequestRefusal } from '../link/linkMessage.ts';
import type { OrderCharge, Waiter } from '../replica/replica.ts';
import type { Clock } from '../std/clock.ts';

export type OrderShare = {
  /** The gateway's counters, from which on orders can be counted; called once. */
  readonly serve: (limits: OrderLimits) => void;
  /**
   * Counts the orders of a batch that another process has written; `waiters` wait for its commands,
   * by their places.
   */
  readonly count: (besides: readonly Beside[], waiters?: ReadonlyMap<number, Waiter>) => void;
  /** Counts the order of a client of another process, or says why it is refused. */
  readonly take: (sender: OrderSender) => OrderCharge | Exclude<RequestRefusal, 'callerChanged'>;
  /** This order, which was counted here, was certainly not executed. */
  readonly giveBack: (charge: OrderCharge) => void;
  /**
   * This process decides from now on, and has applied the whole log. `pending`: orders that it has
   * passed on and that no batch contains; they are counted when they are taken.
   */
  readonly lead: (pending: readonly OrderCharge[]) => void;
};

export function createOrderShare(clock: Clock): OrderShare {
  const logged = createLoggedOrders();
  let limits: OrderLimits | undefined;
  let leads = false;
  return {
    serve: (served) => {
      limits = served;
      // It may have got the lease before it could count.
      if (leads) adoptLogged(served, logged, clock.now());
    },
    count: (besides, waiters) => {
      for (const [index, { charge }] of besides.entries()) {
        if (charge === undefined) continue;
        const counted = charge as OrderCharge;
        const orders = countLogged(logged, counted);
        if (limits !== undefined) adoptSender(limits, logged, counted);
        waiters?.get(index)?.counted?.(orders);
      }
    },
    take: (sender) => (limits === undefined ? 'waiting' : takeCharge(limits, sender, clock.now())),
    giveBack: (charge) => {
      if (limits === undefined) return;
      giveBack(limits, charge, clock.now());
      adoptSender(limits, logged, charge);
    },
    lead: (pending) => {
      leads = true;
      if (limits === undefined) return;
      for (const charge of pending) giveBack(limits, charge, clock.now());
      adoptLogged(limits, logged, clock.now());
    },
  };
}

/** What stands beside the commands of a batch; empty: nothing does. */
export function besidesOf({
  origins,
  count,
}: {
  readonly origins?: Buffer | undefined;
  readonly count: number;
}): readonly Beside[] {
  return origins === undefined || origins.length === 0 ? [] : decodeBeside(origins, count);
}
