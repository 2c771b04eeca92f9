// Market data as the rows of the operations table see it: from the views of a replica, and from
// history where the views do not reach back. Windows end with the replica's last batch.

import { hasFailed } from '../api/historyPort.ts';
import type { MarketDataPort } from '../api/marketDataPort.ts';
import type { Market } from '../engine/views/market.ts';
import type { AskHistory } from '../history/queries/historyQueries.ts';
import { candlesIn, forgottenCandles, withOlder } from '../market-data/candles.ts';
import { dayTickerOf } from '../market-data/dayTickerOf.ts';
import type { MarketData } from '../market-data/marketData.ts';
import { openInterestOver, takerVolumesIn } from '../market-data/periodFigures.ts';
import {
  aggregatesIn,
  holdsAggregates,
  holdsTrades,
  tradesIn,
} from '../market-data/recentTrades.ts';
import { tickerOf } from '../market-data/tickerOf.ts';
import type { Replica } from '../replica/replica.ts';
import { must } from '../std/assert.ts';
import type { Time } from '../units/units.ts';

export function createMarketDataPort(
  { exchange, views }: Pick<Replica, 'exchange' | 'views'>,
  ask: AskHistory,
): MarketDataPort {
  const dataOf = ({ id }: Market): MarketData =>
    must(views.markets[id], 'every market has its data');
  // A settled market does not trade, so its candles end there (SYM-2).
  const endOf = ({ dues }: Market): Time => (dues.settledAt === 0 ? exchange.time : dues.settledAt);
  return {
    candles: (market, { kind, interval, window }) => {
      const candles = dataOf(market).candles[kind];
      const older = forgottenCandles(candles, interval, window, endOf(market));
      if (older === undefined) return candlesIn(candles, interval, window, endOf(market));
      return ask('candles', { market: market.id, kind, ...older }).then((rows) =>
        hasFailed(rows)
          ? rows
          : candlesIn(withOlder(candles, older.interval, rows), interval, window, endOf(market)),
      );
    },
    trades: (market, window) => {
      const { recent } = dataOf(market);
      if (holdsTrades(recent, window)) return tradesIn(recent, window);
      return ask('trades', { market: market.id, ...window }).then((rows) =>
        hasFailed(rows) ? rows : rows.map(({ tradeId: id, ...row }) => ({ id, ...row })),
      );
    },
    aggregateTrades: (market, window) => {
      const { recent } = dataOf(market);
      if (holdsAggregates(recent, window)) return aggregatesIn(recent, window);
      return ask('aggregates', { market: market.id, ...window });
    },
    openInterest: (market, period, limit) =>
      openInterestOver(dataOf(market).periods, period, limit),
    takerVolumes: (market, period, window) =>
      takerVolumesIn(dataOf(market).periods, period, window, endOf(market)),
    dayTicker: (market) => dayTickerOf(market, dataOf(market), exchange.time),
    ticker: (market) => tickerOf(market, dataOf(market), exchange.time),
  };
}
