// The 24-hour ticker of a market (NAT-2c) with the names of the convention (conventions, 6.3). All
// decimals are texts. tickerOf.ts makes the native ticker.

import { averagePriceText } from '../engine/views/entryPriceText.ts';
import type { Market } from '../engine/views/market.ts';
import { formatScaled, formatSteps, formatTrimmed } from '../units/decimal.ts';
import { mulDivHalfEven } from '../units/mulDiv.ts';
import { moneyDecimals, type Ticks, type Time } from '../units/units.ts';
import type { MarketData } from './marketData.ts';
import { lastTradeId, lastTradeLots } from './recentTrades.ts';
import { dayFiguresOf, dayMs } from './rollingDay.ts';

/** Figures of the 24 hours that end with the present batch. */
export type Day = {
  /** The last trade's price, however old; before the first trade the mark. */
  readonly last: Ticks;
  /** Without trades in the window all three are `last`. */
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  /** Lots and money. */
  readonly volume: bigint;
  readonly quoteVolume: bigint;
  /** Numbers of the first and the last trade, -1 without trades. */
  readonly firstId: number;
  readonly lastId: number;
  /** The number of trades. Trade numbers do not give it, because other events share them (ID-1). */
  readonly count: number;
};

export function dayOf(market: Market, { day, recent }: MarketData, now: Time): Day {
  const { figures, prices } = market;
  const last = figures.last === 0 ? prices.mark : figures.last;
  const traded = dayFiguresOf(day, now);
  if (traded === undefined) {
    const flat = { open: last, high: last, low: last };
    return { last, ...flat, volume: 0n, quoteVolume: 0n, firstId: -1, lastId: -1, count: 0 };
  }
  return { last, ...traded, lastId: lastTradeId(recent) };
}

/** (last − open) / open in 1e-3 percent, half to even. */
export function changeOf({ last, open }: Pick<Day, 'last' | 'open'>): number {
  return open === 0 ? 0 : mulDivHalfEven(last - open, 100_000, open);
}

export const changeDecimals = 3;

export type DayTicker = {
  readonly symbol: string;
  readonly priceChange: string;
  readonly priceChangePercent: string;
  readonly weightedAvgPrice: string;
  readonly lastPrice: string;
  readonly lastQty: string;
  readonly openPrice: string;
  readonly highPrice: string;
  readonly lowPrice: string;
  readonly volume: string;
  readonly quoteVolume: string;
  readonly openTime: number;
  readonly closeTime: number;
  readonly firstId: number;
  readonly lastId: number;
  readonly count: number;
};

/** `now` is the time of the present batch. */
export function dayTickerOf(market: Market, data: MarketData, now: Time): DayTicker {
  const day = dayOf(market, data, now);
  const { last, open, volume, quoteVolume, firstId, lastId, count } = day;
  const price = (ticks: number): string => formatSteps(ticks, market.tick);
  const lots = lastTradeLots(data.recent);
  return {
    symbol: market.symbol,
    priceChange: price(last - open),
    priceChangePercent: formatScaled(changeOf(day), changeDecimals),
    weightedAvgPrice: averagePriceText(market, quoteVolume, volume),
    lastPrice: price(last),
    lastQty: lots === 0 ? '0' : formatSteps(lots, market.lot),
    openPrice: price(open),
    highPrice: price(day.high),
    lowPrice: price(day.low),
    volume: formatSteps(volume, market.lot),
    quoteVolume: formatTrimmed(quoteVolume, moneyDecimals),
    openTime: now - dayMs,
    closeTime: now,
    firstId,
    lastId,
    count,
  };
}
