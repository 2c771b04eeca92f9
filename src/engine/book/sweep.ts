// Price-time matching that knows no money (ORD-1): in which order a taker meets makers. What a
// meeting does (self-trade, guards, fills) is the caller's, so that a trial and a match for real
// are the same walk (ORD-10).

import { assert } from '../../std/assert.ts';
import type { Ticks } from '../../units/units.ts';
import type { Order } from '../order.ts';
import { buy, type Side, sell } from '../orderTypes.ts';
import { type Book, ladderOf } from './book.ts';
import { bestLevel, type Ladder, levelAfter } from './ladder.ts';
import type { Level } from './level.ts';

/**
 * Does everything to both orders: lowers `open` of both and the `lots` of the maker's level. One of
 * them is dead then: the maker, or the taker, which meets nobody any more.
 */
export type Meet<World> = (world: World, taker: Order, maker: Order) => void;

/**
 * Lets `taker` meet the live orders of the other side from the best price to `limit`, oldest
 * first. Orders that die stay linked until the command ends, so the structure stands still here.
 */
export function sweep<World>(
  book: Book,
  taker: Order,
  limit: Ticks,
  world: World,
  meet: Meet<World>,
): void {
  const ladder = ladderOf(book, taker.side === buy ? sell : buy);
  let level = bestLevel(ladder);
  while (level !== undefined && taker.open > 0 && crosses(taker.side, level.ticks, limit)) {
    // A level without live lots holds only dead orders.
    let maker = level.lots > 0 ? level.first : null;
    while (maker !== null && taker.open > 0) {
      if (maker.open > 0) {
        meet(world, taker, maker);
        assert(maker.open === 0 || taker.open === 0, 'a meeting must end one of its orders');
      }
      maker = maker.next;
    }
    level = levelAfter(ladder, level);
  }
}

/** Whether a taker of `side` bounded by `limit` may trade at `ticks`. */
export function crosses(side: Side, ticks: Ticks, limit: Ticks): boolean {
  return side === buy ? ticks <= limit : ticks >= limit;
}

/** The best level with live lots: levels that died in this command may still be linked. */
export function bestLive(ladder: Ladder): Level | undefined {
  let level = bestLevel(ladder);
  while (level !== undefined && level.lots === 0) level = levelAfter(ladder, level);
  return level;
}
