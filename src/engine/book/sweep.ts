// Price-time matching without money (ORD-1): the order in which a taker meets makers. The caller
// decides what a meeting does (self-trade, fill checks, fills), so that a tentative and a committed
// match are the same walk (ORD-10).

import { assert } from '../../std/assert.ts';
import type { Ticks } from '../../units/units.ts';
import type { Order } from '../order.ts';
import { buy, type Side, sell } from '../orderTypes.ts';
import { type Book, ladderOf } from './book.ts';
import { bestLevel, type Ladder, levelAfter } from './ladder.ts';
import type { Level } from './level.ts';

/**
 * Does everything to both orders: lowers `open` of both and the `lots` of the maker's level.
 * Afterwards one of them is dead: the maker, or the taker, which then meets no other order.
 */
export type Meet<World> = (world: World, taker: Order, maker: Order) => void;

/**
 * Lets `taker` meet the live orders of the other side from the best price to `limit`, oldest first.
 * Orders that die stay linked until the command ends, so the structure does not change during the
 * walk.
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
    // A level without live lots contains only dead orders.
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
