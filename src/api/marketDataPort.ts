// The market data that rows read. The gateway fills this port from the views; their types
// (market-data/) describe the answers. Rules: docs/rules/market-data.md.

import type { Market } from '../engine/views/market.ts';
import type { BucketWindow } from '../market-data/bucketRings.ts';
import type { Candle } from '../market-data/candles.ts';
import type { DayTicker } from '../market-data/dayTickerOf.ts';
import type { CandleKind } from '../market-data/marketData.ts';
import type { OpenInterestAverage, TakerVolume } from '../market-data/periodFigures.ts';
import type { AggregateTrade, Trade, TradeWindow } from '../market-data/recentTrades.ts';
import type { Ticker } from '../market-data/tickerOf.ts';
import type { Interval, Period } from '../units/interval.ts';
import type { MarketId, Time } from '../units/units.ts';
import type { Remembered } from './historyPort.ts';

export type MarketDataPort = {
  readonly candles: (
    market: Market,
    asked: {
      readonly kind: CandleKind;
      readonly interval: Interval;
      readonly window: BucketWindow;
    },
  ) => Remembered<readonly Candle[]>;
  readonly trades: (market: Market, window: TradeWindow) => Remembered<readonly Trade[]>;
  readonly aggregateTrades: (
    market: Market,
    window: TradeWindow,
  ) => Remembered<readonly AggregateTrade[]>;
  /** The last periods in which open interest was recorded. */
  readonly openInterest: (
    market: Market,
    period: Period,
    limit: number,
  ) => readonly OpenInterestAverage[];
  readonly takerVolumes: (
    market: Market,
    period: Period,
    window: BucketWindow,
  ) => readonly TakerVolume[];
  readonly dayTicker: (market: Market) => DayTicker;
  /** undefined before the first index. */
  readonly ticker: (market: Market) => Ticker | undefined;
};

/** The number of accounts with an open position, and the size of their positions. */
export type SideCounts = { readonly long: number; readonly short: number };

/** Who holds the positions of a market, without house accounts and the insurance fund (NAT-2f). */
export type LongShort = {
  readonly market: MarketId;
  /** The time of the count. */
  readonly time: Time;
  /** All accounts with a position, by side. */
  readonly accounts: SideCounts;
  /** The fifth of them with the largest positions: accounts, and lots. */
  readonly topAccounts: SideCounts;
  readonly topLots: SideCounts;
};
