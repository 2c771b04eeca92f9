// The invariants of the books: sorted levels with the sums of their orders, queues by priority, no
// crossing, and the same orders here as in the map of live orders.

import { directGet } from '../../std/directMap.ts';
import type { Ladder } from '../book/ladder.ts';
import type { Level } from '../book/level.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Order } from '../order.ts';
import { ordersByPriority } from '../ordersByPriority.ts';
import { type Findings, must } from './findings.ts';

export function checkBooks(findings: Findings, exchange: Exchange): void {
  let resting = 0;
  for (const market of exchange.markets) {
    const bids = checkLadder(findings, exchange, market, market.book.bids);
    const asks = checkLadder(findings, exchange, market, market.book.asks);
    resting += bids.orders + asks.orders;
    const crossed = bids.best > 0 && asks.best > 0 && bids.best >= asks.best;
    must(findings, !crossed, () => {
      return `${market.symbol}: best bid ${bids.best} meets best ask ${asks.best}`;
    });
  }
  let queued = 0;
  for (const account of exchange.accounts) {
    for (const position of account?.positions ?? []) {
      if (position !== undefined) queued += position.orderCount;
    }
  }
  must(findings, resting === exchange.orders.size && queued === resting, () => {
    return `${exchange.orders.size} live orders, ${resting} in books, ${queued} in queues`;
  });
  checkNumbers(findings, exchange);
}

/** Snapshots depend on priorities: they list the orders by them, so that no two may be equal. */
function checkNumbers(findings: Findings, exchange: Exchange): void {
  let before = 0;
  for (const order of ordersByPriority(exchange)) {
    const { id, priority } = order;
    must(findings, directGet(exchange.orders, id) === order && priority > before, () => {
      return `live order ${id} stands under another number, or its priority is not its own`;
    });
    must(findings, priority <= exchange.sequence && id <= exchange.sequence, () => {
      return `order ${id} has a number that was never drawn`;
    });
    before = priority;
  }
}

/** Gives the number of orders and the best price, 0 when there is none. */
function checkLadder(
  findings: Findings,
  exchange: Exchange,
  market: Market,
  ladder: Ladder,
): { orders: number; best: number } {
  let orders = 0;
  let key = Number.NEGATIVE_INFINITY;
  let best = 0;
  for (const block of ladder.blocks) {
    must(findings, block.levels.length > 0 || ladder.blocks.length === 1, () => {
      return `${market.symbol}: an empty block of levels`;
    });
    block.levels.forEach((level, slot) => {
      const sorted = ladder.side * level.ticks > key;
      const keyed = block.keys[slot] === ladder.side * level.ticks;
      must(findings, sorted && keyed, () => `${market.symbol}: level ${level.ticks} is misplaced`);
      key = ladder.side * level.ticks;
      best = level.ticks;
      orders += checkLevel(findings, exchange, { market, ladder, level });
    });
  }
  return { orders, best };
}

/** Gives the number of orders. */
function checkLevel(
  findings: Findings,
  exchange: Exchange,
  place: { readonly market: Market; readonly ladder: Ladder; readonly level: Level },
): number {
  const { market, ladder, level } = place;
  const name = `${market.symbol} at ${level.ticks}`;
  let count = 0;
  let lots = 0n;
  let previous: Order | null = null;
  for (let order = level.first; order !== null; order = order.next) {
    const { id, priority } = order;
    const rests = order.level === level && order.ticks === level.ticks;
    const belongs = order.side === ladder.side && order.market === market.id;
    must(findings, rests && belongs, () => `${name}: order ${id} rests elsewhere`);
    must(findings, order.previous === previous, () => `${name}: order ${id} is linked wrongly`);
    must(findings, previous === null || previous.priority < priority, () => {
      return `${name}: order ${id} does not stand by its priority`;
    });
    must(findings, directGet(exchange.orders, id) === order, () => {
      return `${name}: order ${id} is not among the live orders`;
    });
    count += 1;
    lots += BigInt(order.open);
    previous = order;
  }
  must(findings, count > 0 && level.last === previous, () => `${name}: the queue ends wrongly`);
  must(findings, BigInt(level.lots) === lots, () => {
    return `${name}: ${level.lots} lots, its orders have ${lots}`;
  });
  return count;
}
