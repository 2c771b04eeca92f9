// What a market knows of its positions beyond its figures: which may be open, and which are
// endangered first. It is derived from the positions and rebuilt after a snapshot, and is in no
// hash.

import { createSortedSet, type SortedSet } from '../../std/sortedSet.ts';
import type { Position } from '../position.ts';

export type MarketRisk = {
  /** Every open position, and some that were open; sorted by account when `sorted`. */
  holders: Position[];
  sorted: boolean;
  /** Longs that may fail when the mark is at or below −key; shorts when it is at or above key. */
  readonly longs: SortedSet<Position>;
  readonly shorts: SortedSet<Position>;
  /** Shorts that are safe up to this mark have no key, nor do longs that are safe down to 0. */
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
