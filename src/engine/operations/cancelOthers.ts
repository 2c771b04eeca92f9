// One leg cancels the other and the parent: what ends before the order of a leg is placed (ATT-4).

import { must } from '../../std/assert.ts';
import { directGet } from '../../std/directMap.ts';
import type { Exchange } from '../exchange.ts';
import type { Order } from '../order.ts';
import type { PairName } from '../pair.ts';
import type { Trigger } from '../trigger.ts';
import { cancelResting } from './cancelOrder.ts';
import { liveLegs } from './followPairs.ts';

/** Cancels the resting order of the other leg, then that of the parent. */
export function cancelOthers(exchange: Exchange, leg: Trigger, name: PairName): void {
  const pair = must(exchange.pairs.get(name.id), 'a live leg has a pair');
  for (const other of liveLegs(exchange, pair)) {
    if (other !== leg && other.status === 'TRIGGERED') cancel(exchange, other.order);
  }
  if (name.kind === 'order') cancel(exchange, name.id);
  if (name.kind === 'trigger') cancel(exchange, exchange.triggers.get(name.id)?.order);
}

function cancel(exchange: Exchange, id: Order['id'] | undefined): void {
  const order = id === undefined ? undefined : directGet(exchange.orders, id);
  if (order === undefined) return;
  cancelResting(exchange, exchange.accounts[order.account]!, order, 'PAIR');
}
