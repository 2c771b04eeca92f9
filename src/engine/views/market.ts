// A market as readers see it: its terms, prices and figures, not its book, which depthOfMarket.ts
// shows, nor the places of triggers and positions.

import type { Ticks, Time } from '../../units/units.ts';
import {
  type MarketDues,
  type MarketFigures,
  type MarketPrices,
  type Market as MarketState,
  restrictionOf as restrictionIn,
  shownStatus as shownStatusIn,
} from '../market.ts';
import type { MarketStatus, Restriction } from '../marketTerms.ts';
import {
  changesSettling as changesSettlingIn,
  settlementTicks as settlementTicksIn,
} from '../settlementTicks.ts';
import { stateOf } from './stateOf.ts';

export type Market = Readonly<
  Pick<
    MarketState,
    'id' | 'symbol' | 'baseAsset' | 'tick' | 'lot' | 'grain' | 'listedAt' | 'terms' | 'status'
  >
> & {
  readonly raise: Readonly<MarketState['raise']>;
  readonly prices: Readonly<Omit<MarketPrices, 'epoch'>>;
  readonly figures: Readonly<Omit<MarketFigures, 'epoch'>>;
  readonly dues: Readonly<MarketDues>;
};

/** What never changes of a market: enough to read an order's parameters and to show an order. */
export type MarketGrid = Pick<Market, 'id' | 'symbol' | 'tick' | 'lot' | 'grain'>;

/** What the prices forbid, apart from the operator (SYM-1, PRC-2, PRC-3). */
export function restrictionOf(market: Market, now: Time): Restriction {
  return restrictionIn(stateOf.market(market), now);
}

/** What the market answers to: the stricter of the operator's status and the prices (SYM-1). */
export function shownStatus(market: Market, now: Time): MarketStatus {
  return shownStatusIn(stateOf.market(market), now);
}

/** The price at which a market with a delivery time settles, as far as it is known now (SYM-2c). */
export function settlementTicks(market: Market): Ticks {
  return settlementTicksIn(stateOf.market(market));
}

/** Whether terms or status change the settlement that the mark moves to now (SYM-2c). */
export function changesSettling(
  market: Market,
  wanted: Pick<Market, 'status' | 'terms'>,
  now: Time,
): boolean {
  return changesSettlingIn(market, wanted, now);
}
