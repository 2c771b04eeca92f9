// A market's book as its readers see it.

import type { Lots, Ticks } from '../../units/units.ts';
import { ladderOf } from '../book/book.ts';
import { depthOf } from '../book/depth.ts';
import { findLevel } from '../book/ladder.ts';
import { bestLive } from '../book/sweep.ts';
import type { Side } from '../orderTypes.ts';
import type { Market } from './market.ts';
import { stateOf } from './stateOf.ts';

export type Depth = {
  readonly updateId: number;
  readonly bids: [Ticks, Lots][];
  readonly asks: [Ticks, Lots][];
};

/** At most `levels` prices a side, best first. */
export function depthOfMarket(market: Market, levels: number): Depth {
  const { book } = stateOf.market(market);
  const bids = depthOf(book.bids, levels);
  return { updateId: book.updateId, bids, asks: depthOf(book.asks, levels) };
}

/** What rests at one price; 0 where nothing does. */
export function lotsAt(market: Market, side: Side, ticks: Ticks): Lots {
  const { book } = stateOf.market(market);
  return findLevel(ladderOf(book, side), ticks)?.lots ?? (0 as Lots);
}

/** Counts what readers of the book see change. */
export function updateIdOf(market: Market): number {
  return stateOf.market(market).book.updateId;
}

export type Best = {
  readonly bidTicks: Ticks;
  readonly bidLots: Lots;
  readonly askTicks: Ticks;
  readonly askLots: Lots;
};

/** The best price of each side, 0 for an empty side. */
export function bestOf(market: Market): Best {
  const { bids, asks } = stateOf.market(market).book;
  const bid = bestLive(bids);
  const ask = bestLive(asks);
  return {
    bidTicks: bid?.ticks ?? (0 as Ticks),
    bidLots: bid?.lots ?? (0 as Lots),
    askTicks: ask?.ticks ?? (0 as Ticks),
    askLots: ask?.lots ?? (0 as Lots),
  };
}
