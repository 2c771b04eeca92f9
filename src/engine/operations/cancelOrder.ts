// Ending one order at its owner's wish (ORD-2). Cancels pass whatever the market's status.

import { positionIn } from '../account.ts';
import { dealCover } from '../clearing/cover.ts';
import type { CancelOrder } from '../command.ts';
import { endOrder, flushEnded } from '../endOrder.ts';
import type { Exchange } from '../exchange.ts';
import { type Outcome, rejected } from '../outcome.ts';
import { findOrder } from '../views/findOrder.ts';

export function cancelOrder(exchange: Exchange, command: CancelOrder): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const order = findOrder(exchange, account, command.order, command.market);
  if (order === undefined) return rejected({ reason: 'orderNotFound' });
  // From here the order must succeed.
  exchange.sure = true;
  const covered = order.cover > 0;
  endOrder(exchange, order, { status: 'CANCELED', reason: 'USER' });
  if (covered) dealCover(exchange, account, positionIn(account, order.market));
  flushEnded(exchange);
  return { kind: 'accepted', order };
}
