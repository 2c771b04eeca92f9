// `<symbol>@ticker`, `<symbol>@miniTicker` and the same for all markets (conventions, 13.4): the
// 24-hour ticker every two seconds; for all markets once a second, with the markets whose ticker
// changed.

import { marketsOf } from '../../engine/views/exchange.ts';
import type { Market } from '../../engine/views/market.ts';
import { type DayTicker, dayTickerOf } from '../../market-data/dayTickerOf.ts';
import type { Opening } from '../fanout.ts';
import { addRhythm } from '../rhythm.ts';
import { dataOf, type StreamContext } from '../streamContext.ts';
import { publicOpening } from './publicOpening.ts';
import type { NamedStream } from './streamName.ts';

const allMarketsMs = 1000;

export function tickerStream(
  context: StreamContext,
  { name, kind, market }: Extract<NamedStream, { kind: 'ticker' | 'miniTicker' }>,
): Opening {
  const { exchange, clock, rhythms, bounds } = context;
  const record = kind === 'ticker' ? tickerRecord : miniTickerRecord;
  const reported = new Map<Market, string>();
  /** undefined when only the time differs. */
  const changed = (each: Market): object | undefined => {
    const ticker = dayTickerOf(each, dataOf(context, each), exchange.time);
    const mark = JSON.stringify({ ...ticker, openTime: 0, closeTime: 0 });
    if (reported.get(each) === mark) return undefined;
    reported.set(each, mark);
    return record(ticker, clock.now());
  };
  return publicOpening(context, name, (send) => {
    const everyMs = market === undefined ? allMarketsMs : bounds.tickerMs;
    const run = (): boolean => {
      if (market !== undefined) {
        send(record(dayTickerOf(market, dataOf(context, market), exchange.time), clock.now()));
        return true;
      }
      const updates = marketsOf(exchange)
        .map(changed)
        .filter((each) => each !== undefined);
      if (updates.length > 0) send(updates);
      return updates.length > 0;
    };
    return addRhythm(rhythms, { everyMs, run });
  });
}

function tickerRecord(ticker: DayTicker, now: number): object {
  return {
    e: '24hrTicker',
    E: now,
    s: ticker.symbol,
    p: ticker.priceChange,
    P: ticker.priceChangePercent,
    w: ticker.weightedAvgPrice,
    c: ticker.lastPrice,
    Q: ticker.lastQty,
    o: ticker.openPrice,
    h: ticker.highPrice,
    l: ticker.lowPrice,
    v: ticker.volume,
    q: ticker.quoteVolume,
    O: ticker.openTime,
    C: ticker.closeTime,
    F: ticker.firstId,
    L: ticker.lastId,
    n: ticker.count,
  };
}

function miniTickerRecord(ticker: DayTicker, now: number): object {
  return {
    e: '24hrMiniTicker',
    E: now,
    s: ticker.symbol,
    c: ticker.lastPrice,
    o: ticker.openPrice,
    h: ticker.highPrice,
    l: ticker.lowPrice,
    v: ticker.volume,
    q: ticker.quoteVolume,
  };
}
