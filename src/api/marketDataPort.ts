// What rows are shown of what markets did: the types of the port that the gateway fills from the
// views. Rules: docs/rules/market-data.md.

import type { Market } from '../engine/market.ts';
import type { Side } from '../engine/order.ts';
import type { Interval, Period } from '../units/interval.ts';
import type { Lots, MarketId, Ticks, Time } from '../units/units.ts';
import type { Remembered } from './historyPort.ts';

export type CandleKind = 'trade' | 'mark' | 'index' | 'premium';

export type CandleRow = {
  readonly openTime: Time;
  /** The last millisecond. */
  readonly closeTime: Time;
  /** Ticks; of a premium 1e-8. */
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Lots and money; 0 but of trades. */
  readonly volume: bigint;
  readonly quoteVolume: bigint;
  /** Trades, or prices that were stated. */
  readonly count: number;
  readonly closed: boolean;
};

/** Both times included; with `startTime` the first `limit`, else the last. */
export type BucketWindow = {
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly limit: number;
};

/** The same; with `fromId` the first from there on, too. */
export type TradeWindow = BucketWindow & { readonly fromId?: number | undefined };

export type TradeRow = {
  readonly id: number;
  readonly ticks: Ticks;
  readonly lots: Lots;
  readonly time: Time;
  readonly takerSide: Side;
};

export type AggregateTradeRow = TradeRow & { readonly firstId: number; readonly lastId: number };

/** Open interest of a bucket as it was seen: Σ in money, and how often. */
export type OpenInterestRow = {
  readonly time: Time;
  readonly sum: bigint;
  readonly samples: number;
};

/** Lots. */
export type TakerVolumeRow = {
  readonly time: Time;
  readonly bought: bigint;
  readonly sold: bigint;
};

/** The 24-hour ticker of the convention; a record of texts is a record of decimals. */
export type DayTicker = Readonly<
  Record<'symbol' | DayDecimal, string> &
    Record<'openTime' | 'closeTime' | 'firstId' | 'lastId' | 'count', number>
>;

export const dayDecimals = [
  'priceChange',
  'priceChangePercent',
  'weightedAvgPrice',
  'lastPrice',
  'lastQty',
  'openPrice',
  'highPrice',
  'lowPrice',
  'volume',
  'quoteVolume',
] as const;
type DayDecimal = (typeof dayDecimals)[number];

/** Decimals of the native ticker (interface, channel ticker). */
export const tickerDecimals = [
  'last_price',
  'mark_price',
  'index_price',
  'price_change_24h',
  'price_change_percent_24h',
  'high_24h',
  'low_24h',
  'volume_24h',
  'volume_24h_usd',
  'open_interest_long',
  'open_interest_short',
  'open_interest_long_percent',
  'open_interest_short_percent',
  'available_liquidity_long',
  'available_liquidity_short',
  'funding_rate_long_1h',
  'funding_rate_short_1h',
] as const;

export type Ticker = Readonly<
  { type: 'ticker' } & Record<'symbol' | (typeof tickerDecimals)[number], string>
>;

export type MarketDataPort = {
  readonly candles: (
    market: Market,
    asked: {
      readonly kind: CandleKind;
      readonly interval: Interval;
      readonly window: BucketWindow;
    },
  ) => Remembered<readonly CandleRow[]>;
  readonly trades: (market: Market, window: TradeWindow) => Remembered<readonly TradeRow[]>;
  readonly aggregateTrades: (
    market: Market,
    window: TradeWindow,
  ) => Remembered<readonly AggregateTradeRow[]>;
  /** The last buckets in which open interest was seen. */
  readonly openInterest: (
    market: Market,
    period: Period,
    limit: number,
  ) => readonly OpenInterestRow[];
  readonly takerVolumes: (
    market: Market,
    period: Period,
    window: BucketWindow,
  ) => readonly TakerVolumeRow[];
  readonly dayTicker: (market: Market) => DayTicker;
  /** undefined before the first index. */
  readonly ticker: (market: Market) => Ticker | undefined;
};

/** Accounts with an open position, and what their positions come to. */
export type SideCounts = { readonly long: number; readonly short: number };

/** Who holds the positions of a market, the house and the insurance fund left out (NAT-2f). */
export type LongShort = {
  readonly market: MarketId;
  /** When it was counted. */
  readonly time: Time;
  /** All accounts with a position, by its side. */
  readonly accounts: SideCounts;
  /** The fifth of them with the largest positions: accounts, and lots. */
  readonly topAccounts: SideCounts;
  readonly topLots: SideCounts;
};
