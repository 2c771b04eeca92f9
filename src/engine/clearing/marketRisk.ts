// What a market knows of the positions in it beyond its figures: which may be open, and which are
// endangered first. Derived from the positions and rebuilt after a snapshot: in no hash.

import { createSortedSet, type SortedSet } from '../../std/sortedSet.ts';
import type { Position } from '../position.ts';

export type MarketRisk = {
  /** Every open position, and some that were open; sorted by account when `sorted`. */
  holders: Position[];
  sorted: boolean;
  /** Longs that may fail once the mark is at or below −key; shorts once it is at or above key. */
  readonly longs: SortedSet<Position>;
  readonly shorts: SortedSet<Position>;
  /** Shorts that hold up to this mark stand in no set, nor do longs that hold down to 0. */
  reach: number;
};

export function createMarketRisk(): MarketRisk {
  return {
    holders: [],
    sorted: true,
    longs: createSortedSet(),
    shorts: createSortedSet(),
    reach: 0,
  };
}
