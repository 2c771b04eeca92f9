// `<symbol>@kline_<interval>` and `<pair>_perpetual@continuousKline_<interval>` (conventions,
// 13.4): the present candle at most every 250 ms, and once more when it has closed.

import type { Market } from '../../engine/views/market.ts';
import type { Candle } from '../../market-data/candles.ts';
import { lastTradeId } from '../../market-data/recentTrades.ts';
import { formatSteps, formatTrimmed } from '../../units/decimal.ts';
import { moneyDecimals } from '../../units/units.ts';
import type { Opening } from '../fanout.ts';
import { followCandle } from '../native/candlesOpening.ts';
import { addRhythm } from '../rhythm.ts';
import { dataOf, type StreamContext } from '../streamContext.ts';
import { publicOpening } from './publicOpening.ts';
import type { NamedStream } from './streamName.ts';

export function klineStream(
  context: StreamContext,
  { name, kind, market, interval }: Extract<NamedStream, { kind: 'kline' | 'continuousKline' }>,
): Opening {
  const { clock, rhythms, bounds } = context;
  const head = (): object => {
    const E = clock.now();
    if (kind === 'kline') return { e: 'kline', E, s: market.symbol };
    return { e: 'continuous_kline', E, ps: market.symbol, ct: 'PERPETUAL' };
  };
  return publicOpening(context, name, (send) => {
    const follower = followCandle(context, { market, interval });
    const run = (): boolean => {
      const candles = follower.take();
      // Numbers of trades have no gap: the last candle ends with the last trade.
      let last = lastTradeId(dataOf(context, market).recent);
      const records = candles.toReversed().map((candle) => {
        const ids = idsOf(candle, last);
        last -= candle.count;
        const symbol = kind === 'kline' ? { s: market.symbol } : {};
        return {
          ...head(),
          k: { ...candleRecord(market, candle), ...symbol, i: interval, ...ids },
        };
      });
      for (const record of records.reverse()) send(record);
      return candles.length > 0;
    };
    const stop = addRhythm(rhythms, { everyMs: bounds.candlesMs, run });
    return () => {
      stop();
      follower.end();
    };
  });
}

/** The numbers of a candle's first and last trade; -1 when it has no trade. */
function idsOf({ count }: Candle, last: number): { readonly f: number; readonly L: number } {
  return count === 0 ? { f: -1, L: -1 } : { f: last - count + 1, L: last };
}

/** The volume that takers bought is not recorded separately (spec, klines). */
function candleRecord(market: Market, candle: Candle): object {
  const price = (ticks: number): string => formatSteps(ticks, market.tick);
  return {
    t: candle.openTime,
    T: candle.closeTime,
    o: price(candle.open),
    c: price(candle.close),
    h: price(candle.high),
    l: price(candle.low),
    v: formatSteps(candle.volume, market.lot),
    n: candle.count,
    x: candle.closed,
    q: formatTrimmed(candle.quoteVolume, moneyDecimals),
    V: '0',
    Q: '0',
    B: '0',
  };
}
