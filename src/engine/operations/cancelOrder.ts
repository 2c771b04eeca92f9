// Ends one order on its owner's request (ORD-2), or a trigger of the order route that still waits
// (TRG-2). Cancels are allowed in every status of the market.

import { type Account, positionIn } from '../account.ts';
import { dealCover } from '../clearing/cover.ts';
import type { CancelOrder } from '../command.ts';
import { endOrder, flushEnded } from '../endOrder.ts';
import { endTrigger } from '../endTrigger.ts';
import type { Exchange } from '../exchange.ts';
import { findOrder } from '../findOrder.ts';
import { findTrigger } from '../findTrigger.ts';
import type { Order } from '../order.ts';
import type { CancelReason } from '../orderTypes.ts';
import { type Outcome, rejected } from '../outcome.ts';
import { waits } from '../trigger.ts';

export function cancelOrder(exchange: Exchange, command: CancelOrder): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const order = findOrder(exchange, account, command.order, command.market);
  if (order === undefined) return cancelWaiting(exchange, account, command);
  // From here cancelOrder must succeed.
  exchange.committed = true;
  cancelResting(exchange, account, order, 'USER');
  return { kind: 'accepted', order };
}

/** For its owner, a waiting trigger of the order route is an order. */
function cancelWaiting(exchange: Exchange, account: Account, command: CancelOrder): Outcome {
  const trigger = findTrigger(exchange, account, command.order, command.market);
  if (trigger === undefined || trigger.route !== 'order' || !waits(trigger)) {
    return rejected({ reason: 'orderNotFound' });
  }
  // From here cancelOrder must succeed.
  exchange.committed = true;
  endTrigger(exchange, trigger, 'CANCELED');
  return { kind: 'accepted', trigger };
}

/** Ends a resting order and distributes the cover that becomes free. */
export function cancelResting(
  exchange: Exchange,
  account: Account,
  order: Order,
  reason: CancelReason,
): void {
  const covered = order.cover > 0;
  endOrder(exchange, order, { status: 'CANCELED', reason });
  if (covered) dealCover(exchange, account, positionIn(account, order.market));
  flushEnded(exchange);
}
