// The invariants of an account's live orders in one market: their queues, cover and freezes (MAR-1,
// MAR-7), reduce-only orders (ORD-6), client order ids (ID-2), and the triggers from which they
// came.

import { directGet } from '../../std/directMap.ts';
import { freezeUp, notionalOf } from '../../units/notional.ts';
import type { Lots } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Order } from '../order.ts';
import type { Side } from '../orderTypes.ts';
import { newestOf, oldestOf, type Position } from '../position.ts';
import { type Findings, must } from './findings.ts';

/**
 * The sums of the queues: money, unified-margin offsets, and the number of client ids of their own.
 */
export type QueueSums = { freezes: bigint; uncovered: bigint; named: number };

export function checkQueues(
  findings: Findings,
  exchange: Exchange,
  account: Account,
  position: Position,
): QueueSums {
  const sums = { freezes: 0n, uncovered: 0n, named: 0 };
  const market = exchange.markets[position.market];
  must(findings, market !== undefined, () => `there is no market ${position.market}`);
  if (market === undefined) return sums;
  checkCounts(findings, position, `account ${account.id}, ${market.symbol}`);
  for (const side of [1, -1] as const) {
    const opposite = Math.max(-side * position.lots, 0);
    checkLinks(findings, position, side, `account ${account.id}, ${market.symbol}, side ${side}`);
    // The opposite position covers closing orders oldest first, each unit once (MAR-1).
    let left = opposite;
    for (let order = oldestOf(position, side); order !== null; order = order.newer) {
      const owned =
        order.account === account.id && order.market === market.id && order.side === side;
      must(
        findings,
        owned && order.position === position,
        () => `order ${order!.id} hangs in another's queue`,
      );
      must(findings, directGet(exchange.orders, order.id) === order, () => {
        return `order ${order!.id} of a queue is not among the live orders`;
      });
      if (order.reduceOnly) checkReduceOnly(findings, order, opposite);
      else left -= checkCover(findings, order, market, left);
      checkOrder(findings, order);
      checkTriggerOf(findings, exchange, order);
      sums.freezes += BigInt(order.freeze);
      sums.uncovered += BigInt(order.uncovered);
      if (order.clientOrderId === '') continue;
      // An order with the number of its trigger shares the trigger's client id.
      if (order.trigger?.id !== order.id) sums.named += 1;
      const known = account.clientOrderIds.get(order.clientOrderId) === order.id;
      must(findings, known, () => `order ${order!.id} is not found by its client order id`);
    }
  }
  return sums;
}

function checkLinks(findings: Findings, position: Position, side: Side, name: string): void {
  let older: Order | null = null;
  for (let order = oldestOf(position, side); order !== null; order = order.newer) {
    const { id, priority } = order;
    must(findings, order.older === older, () => `${name}: order ${id} is linked wrongly`);
    must(findings, older === null || older.priority < priority, () => {
      return `${name}: order ${id} does not stand by its priority`;
    });
    older = order;
  }
  must(findings, newestOf(position, side) === older, () => `${name}: the newest order is another`);
}

/** The position's counts over both its queues. */
function checkCounts(findings: Findings, position: Position, name: string): void {
  let count = 0;
  let reduceOnly = 0;
  let covered = 0;
  for (const oldest of [position.oldestBuy, position.oldestSell]) {
    for (let order = oldest; order !== null; order = order.newer) {
      count += 1;
      if (order.reduceOnly) reduceOnly += 1;
      covered += order.cover;
    }
  }
  const recorded = `${position.orderCount}, ${position.reduceOnlyCount}, ${position.covered}`;
  const counted = `${count}, ${reduceOnly}, ${covered}`;
  must(findings, recorded === counted, () => {
    return `${name}: orders, reduce-only and covered lots are ${counted}, recorded as ${recorded}`;
  });
}

/** Gives the cover that the order should have, of the `left` lots that older orders have left. */
function checkCover(findings: Findings, order: Order, market: Market, left: number): number {
  const cover = Math.min(order.open, left);
  must(findings, order.cover === cover, () => {
    return `order ${order.id} is covered for ${order.cover} lots, due are ${cover} (MAR-1)`;
  });
  const opening = (order.open - cover) as Lots;
  const due = freezeUp(notionalOf(order.ticks, opening, market.grain), order.leverage);
  const { freeze, uncovered } = order;
  must(findings, freeze >= 0 && uncovered >= 0 && freeze + uncovered === due, () => {
    return `order ${order.id} freezes ${freeze}, offset ${uncovered}, due are ${due} (MAR-1)`;
  });
  return cover;
}

function checkReduceOnly(findings: Findings, order: Order, opposite: number): void {
  must(findings, order.open <= opposite, () => {
    return `reduce-only order ${order.id} of ${order.open} lots faces ${opposite} (ORD-6)`;
  });
  const free = order.freeze === 0 && order.uncovered === 0;
  must(findings, free && order.cover === 0, () => {
    return `reduce-only order ${order.id} freezes ${order.freeze} (ORD-6)`;
  });
}

function checkOrder(findings: Findings, order: Order): void {
  const { id, open, lots, filled, status } = order;
  must(findings, open > 0 && open + filled === lots, () => {
    return `order ${id}: ${open} open and ${filled} filled of ${lots} lots`;
  });
  const due = filled === 0 ? 'NEW' : 'PARTIALLY_FILLED';
  must(findings, status === due && order.cancelReason === 'NONE', () => {
    return `live order ${id} is ${status} after ${filled} lots`;
  });
  must(findings, order.origin === 'account', () => `order ${id} of the exchange itself rests`);
}

function checkTriggerOf(findings: Findings, exchange: Exchange, order: Order): void {
  const { trigger } = order;
  if (trigger === null) return;
  const known = exchange.triggers.get(trigger.id) === trigger && trigger.order === order.id;
  must(findings, known && trigger.account === order.account, () => {
    return `order ${order.id} came of trigger ${trigger.id}, which does not know it`;
  });
}
