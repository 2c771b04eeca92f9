// The candles that closed between two moments, as rows (HIST-2), from the views of a replica.

import { closedBetween } from '../market-data/candles.ts';
import { candleKinds, type MarketData } from '../market-data/marketData.ts';
import type { MarketId, Time } from '../units/units.ts';
import type { CandleRow } from './rows.ts';

/** Rows of buckets that ended after `after` and by `now`; an empty bucket has no row. */
export function closedCandleRows(
  markets: readonly MarketData[],
  after: Time,
  now: Time,
): CandleRow[] {
  const rows: CandleRow[] = [];
  for (const [market, { candles }] of markets.entries()) {
    for (const kind of candleKinds) {
      for (const { interval, candle } of closedBetween(candles[kind], after, now)) {
        rows.push({
          market: market as MarketId,
          kind,
          interval,
          openTime: candle.openTime,
          open: candle.open,
          high: candle.high,
          low: candle.low,
          close: candle.close,
          volume: String(candle.volume),
          quoteVolume: String(candle.quoteVolume),
          count: candle.count,
          firstId: candle.firstId,
          lastId: candle.lastId,
        });
      }
    }
  }
  return rows;
}
