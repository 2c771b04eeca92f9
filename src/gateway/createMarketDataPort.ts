// Market data as the rows of the operations table ask for it, from the views of a replica. Windows
// end with the replica's last batch.

import type { MarketDataPort } from '../api/marketDataPort.ts';
import type { Market } from '../engine/market.ts';
import { candlesIn } from '../market-data/candles.ts';
import { dayTickerOf } from '../market-data/dayTickerOf.ts';
import type { MarketData } from '../market-data/marketData.ts';
import { openInterestOver, takerVolumesIn } from '../market-data/periodFigures.ts';
import { aggregatesIn, tradesIn } from '../market-data/recentTrades.ts';
import { tickerOf } from '../market-data/tickerOf.ts';
import type { Replica } from '../replica/replica.ts';
import { must } from '../std/assert.ts';
import type { Time } from '../units/units.ts';

export function createMarketDataPort({
  exchange,
  views,
}: Pick<Replica, 'exchange' | 'views'>): MarketDataPort {
  const dataOf = ({ id }: Market): MarketData =>
    must(views.markets[id], 'every market has its data');
  // What is settled trades no more, so its candles end there (SYM-2).
  const endOf = ({ dues }: Market): Time => (dues.settledAt === 0 ? exchange.time : dues.settledAt);
  return {
    candles: (market, { kind, interval, window }) =>
      candlesIn(dataOf(market).candles[kind], interval, window, endOf(market)),
    trades: (market, window) => tradesIn(dataOf(market).recent, window),
    aggregateTrades: (market, window) => aggregatesIn(dataOf(market).recent, window),
    openInterest: (market, period, limit) =>
      openInterestOver(dataOf(market).periods, period, limit),
    takerVolumes: (market, period, window) =>
      takerVolumesIn(dataOf(market).periods, period, window, endOf(market)),
    dayTicker: (market) => dayTickerOf(market, dataOf(market), exchange.time),
    ticker: (market) => tickerOf(market, dataOf(market), exchange.time),
  };
}
