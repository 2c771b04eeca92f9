// A market: its fixed grid, the operator's terms, its book, its prices and its running figures.

import type { Grain } from '../units/notional.ts';
import type { AccountId, Lots, MarketId, Money, Rate, Ticks, Time } from '../units/units.ts';
import type { Book } from './book/book.ts';
import type { MarketRisk } from './clearing/marketRisk.ts';
import type { Grid, MarketStatus, MarketTerms, Restriction } from './marketTerms.ts';
import type { WaitingTriggers } from './triggers/waitingTriggers.ts';

/** The last price of one source. */
export type SourcePrice = {
  readonly source: string;
  readonly ticks: Ticks;
  readonly observedAt: Time;
  /** The engine's time when it arrived: its age counts from here. */
  readonly takenAt: Time;
};

/** An index that was refused and waits until others agree with it (PRC-2). */
export type PendingIndex = { readonly ticks: Ticks; readonly at: Time };

/** The lowest and highest mark of one second, for the breaker (PRC-3). */
export type MarkRange = { readonly second: number; readonly low: Ticks; readonly high: Ticks };

export type MarketPrices = {
  /** 0 until the first accepted index price. */
  index: Ticks;
  mark: Ticks;
  /** EMA of mid − index in 1e-6 ticks (PRC-1). */
  premium: number;
  /** When the premium made its last step. */
  premiumAt: Time;
  /** When the index was last accepted. */
  indexAt: Time;
  sources: readonly SourcePrice[];
  /** Successive refused indexes that agree with each other (PRC-2); empty after an acceptance. */
  pending: readonly PendingIndex[];
  /** The marks of the breaker's window, oldest first (PRC-3). */
  marks: readonly MarkRange[];
  /** Until when the breaker makes the market reduce-only; 0 when it has never tripped. */
  breakerUntil: Time;
  epoch: number;
};

/** Figures that change with trading. */
export type MarketFigures = {
  /** Price of the last trade, 0 before the first. */
  last: Ticks;
  lastAt: Time;
  /** Price of the last trade that was no liquidation: the one that the mark may use (PRC-1). */
  lastRegular: Ticks;
  /** The last number of a trade, a takeover or a deleveraging (ID-1). */
  tradeId: number;
  /** Long and short open interest, without internal accounts (FUND-1). */
  longLots: Lots;
  shortLots: Lots;
  /** Over all positions; the first is always 0 (BAL-2). */
  positionLots: Lots;
  entry: Money;
  /**
   * The rate of the moment, summed over the time of the funding interval since it began or was last
   * settled by hand: 1e-8 × ms (FUND-1b).
   */
  fundingSum: number;
  /** Until when it is summed. */
  fundingAt: Time;
  /** Trading fees, less rebates, of which the fund has not had its share yet (LIQ-8). */
  feesToShare: Money;
  epoch: number;
};

/** A raised maintenance rate that waits for its day (OPS-2); all 0 when there is none. */
export type MaintenanceRaise = { rate: Rate; at: Time; timer: number };

/**
 * The accepted index over one UTC minute: Σ ticks × ms, and the ms that had an index (SYM-2c).
 */
export type IndexMinute = { readonly minute: number; readonly sum: number; readonly ms: number };

/** What an account has accrued of a market's funding (FUND-1c); above 0 it pays. */
export type FundingShare = {
  readonly account: AccountId;
  /** Σ lots × rate × ms of the interval up to the last change of its position. */
  accrued: bigint;
  /** The market's sum at that change; 0 without a position. */
  sum: number;
  /** The same of the interval that the boundary which is due has ended. */
  due: bigint;
  epoch: number;
};

/** What the market does at its next accepted index, and the timers that will make it due. */
export type MarketDues = {
  /** The funding boundary to settle, 0 for none (FUND-3). */
  funding: Time;
  /**
   * The sum of the interval that it has ended, and that interval's length (FUND-1b); 0 for none.
   */
  fundingSum: number;
  fundingMs: number;
  /** When the interval so far began: at a boundary, or when the market was listed. */
  fundingFrom: Time;
  /** The boundary that ends it. */
  fundingEnd: Time;
  fundingTimer: number;
  /** The boundary last settled or recorded. */
  fundedAt: Time;
  /** Whether the delivery is due, and its timer (SYM-2). */
  delivery: boolean;
  deliveryTimer: number;
  /** When the market was settled, 0 before: then trading in it has ended. */
  settledAt: Time;
};

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
  readonly dues: MarketDues;
  /** Of accounts whose position has changed in the interval, or that owe or are owed something. */
  readonly shares: Map<AccountId, FundingShare>;
  /** The accepted index of the last hour by minute, oldest first (settlementTicks.ts). */
  indexMinutes: readonly IndexMinute[];
  /** Waiting triggers by price (triggers/waitingTriggers.ts). */
  readonly triggers: WaitingTriggers;
  /** Positions that may be open, and the open ones by the mark that endangers them. Transient. */
  readonly risk: MarketRisk;
};

/**
 * Above this age of the index, in milliseconds, no liquidation, trigger or funding runs (PRC-2).
 */
export const liveAgeMs = 5000;
/** Above this age the market is reduce-only; above the next it is halted. */
export const reduceOnlyAgeMs = 30_000;
export const haltedAgeMs = 120_000;

/** The largest move of an index that passes the gate unconfirmed (PRC-2). */
export const gapRate = 10_000_000 as Rate;

export function restrictionOf(market: Market, now: Time): Restriction {
  const { index, indexAt, breakerUntil, pending } = market.prices;
  const age = now - indexAt;
  if (index === 0 || age > haltedAgeMs) return 'halted';
  // While a jump waits for confirmation, the mark is known to be wrong (PRC-2b).
  if (age > reduceOnlyAgeMs || pending.length > 0) return 'stale';
  return now < breakerUntil ? 'breaker' : 'none';
}

/**
 * Whether the mark is old or known to be wrong: no money leaves at such a mark (MAR-7b, MAR-8c).
 */
export function isMarkDoubtful(market: Market, now: Time): boolean {
  const restriction = restrictionOf(market, now);
  return restriction === 'stale' || restriction === 'halted';
}

/** Whether positions may be closed, triggers fire and funding settle now (PRC-2, PRC-4). */
export function isMarketLive(market: Market, now: Time): boolean {
  const { index, indexAt } = market.prices;
  if (market.status === 'HALT' || market.dues.settledAt !== 0) return false;
  return index !== 0 && now - indexAt <= liveAgeMs;
}

/** The delivery for which a market waits; only a market in CLOSE has one (SYM-2); 0 for none. */
export function deliveryOf(market: Pick<Market, 'status' | 'terms'>): Time {
  return market.status === 'CLOSE' ? market.terms.deliveryTime : (0 as Time);
}

/** The status that clients see: the stricter of the operator's status and the prices (SYM-1). */
export function shownStatus(market: Market, now: Time): MarketStatus {
  // Trading in a settled market has ended, whatever happens to its prices (SYM-2).
  if (market.dues.settledAt !== 0) return 'CLOSE';
  const restriction = restrictionOf(market, now);
  if (market.status === 'HALT' || restriction === 'halted') return 'HALT';
  return restriction === 'none' ? market.status : 'CLOSE';
}
