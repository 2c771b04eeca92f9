// A market: its fixed grid, the operator's terms, its book, its prices and its running figures.

import type { Grain } from '../units/notional.ts';
import type { Lots, MarketId, Money, Rate, Ticks, Time } from '../units/units.ts';
import type { Book } from './book/book.ts';
import type { SelfTradeMode } from './order.ts';

/** A decimal step: step × 10^-decimals. A tick of 0.5 is decimals 1, step 5. */
export type Grid = { readonly decimals: number; readonly step: number };

export const marketStatuses = ['TRADING', 'HALT', 'CLOSE'] as const;
export type MarketStatus = (typeof marketStatuses)[number];

export const underlyingTypes = ['COIN', 'INDEX', 'DEFI'] as const;
export type UnderlyingType = (typeof underlyingTypes)[number];

/** The terms an operator lists and may change (OPS-2). */
export type MarketTerms = {
  readonly maxLeverage: number;
  readonly maintenanceMarginRate: Rate;
  readonly liquidationFeeRate: Rate;
  readonly minOrderSize: Money;
  readonly maxOrderSize: Money;
  readonly openInterestCap: Money;
  readonly fundingFactor: Rate;
  readonly maxFundingRate: Rate;
  readonly minFundingRate: Rate;
  readonly fundingIntervalHours: number;
  readonly maxMarketSlippage: Rate;
  readonly markClamp: Rate;
  readonly markBand: Rate;
  readonly makerFee: Rate;
  readonly takerFee: Rate;
  readonly selfTradePrevention: SelfTradeMode;
  readonly indexSources: readonly IndexSource[];
  readonly underlyingType: UnderlyingType;
  /** 0 unless a delivery is scheduled. */
  readonly deliveryTime: Time;
};

export type IndexSource = { readonly source: string; readonly weight: number };

/** The last price of one source. */
export type SourcePrice = {
  readonly source: string;
  readonly ticks: Ticks;
  readonly observedAt: Time;
};

export type MarketPrices = {
  /** 0 until the first accepted index price. */
  index: Ticks;
  mark: Ticks;
  /** EMA of mid − index in 1e-6 ticks (PRC-1). */
  premium: number;
  /** When the premium was last stepped. */
  premiumAt: Time;
  /** When the index was last accepted. */
  indexAt: Time;
  sources: readonly SourcePrice[];
  epoch: number;
};

/** Figures that trading moves. */
export type MarketFigures = {
  /** Price of the last trade, 0 before the first. */
  last: Ticks;
  lastAt: Time;
  tradeId: number;
  /** Long and short open interest, house accounts left out (FUND-1). */
  longLots: Lots;
  shortLots: Lots;
  /** Over all positions; the first is always 0 (BAL-2). */
  positionLots: Lots;
  entry: Money;
  epoch: number;
};

/** A raised maintenance rate that waits for its day (OPS-2); all 0 without one. */
export type MaintenanceRaise = { rate: Rate; at: Time; timer: number };

export type Market = {
  readonly id: MarketId;
  readonly symbol: string;
  readonly baseAsset: string;
  readonly tick: Grid;
  readonly lot: Grid;
  readonly grain: Grain;
  readonly listedAt: Time;
  terms: MarketTerms;
  /** The operator's status (SYM-1). */
  status: MarketStatus;
  readonly raise: MaintenanceRaise;
  readonly book: Book;
  readonly prices: MarketPrices;
  readonly figures: MarketFigures;
};

/** What the market answers to: the stricter of the operator's status and the prices (SYM-1). */
export function shownStatus(market: Market): MarketStatus {
  return market.prices.index === 0 ? 'HALT' : market.status;
}
