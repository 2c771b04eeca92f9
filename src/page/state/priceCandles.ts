// Candles of the mark or of the index of a market. Their history is on FAPI; the candle in progress
// follows the tickers.

import type { ReadonlySignal } from '@preact/signals';
import { bucketStart, type Interval, servedFrom } from '../../units/interval.ts';
import { type Candle, type CandleSource, candlesAsked } from './candleFeed.ts';
import type { PublicRequests } from './publicRequests.ts';
import type { Ticker } from './tickers.ts';

export type PriceCandles = {
  readonly kind: 'mark' | 'index';
  readonly requests: PublicRequests;
  readonly ticker: ReadonlySignal<Ticker | undefined>;
  readonly now: () => number;
  readonly symbol: string;
  readonly interval: Interval;
};

type Row = readonly [number, string, string, string, string, ...unknown[]];

export function priceCandles(options: PriceCandles): CandleSource {
  const { kind, requests, ticker, now, symbol, interval } = options;
  const kept = servedFrom(interval);
  const candleOf = ([time, open, high, low, close]: Row): Candle => ({
    time,
    open: Number(open),
    high: Number(high),
    low: Number(low),
    close: Number(close),
    volume: 0,
    // A candle of a coarser bucket may have opened before its first price: history is read again.
    closed: kept === interval,
  });
  const begin = (time: number, price: number): Candle => ({
    ...{ time, open: price, high: price, low: price, close: price },
    volume: 0,
    closed: kept === interval,
  });
  let last: Candle | undefined;
  let isRead = false;
  const read = async (end?: number): Promise<readonly Candle[]> => {
    const window = {
      interval,
      limit: candlesAsked,
      ...(end === undefined ? {} : { endTime: end }),
    };
    const rows =
      kind === 'mark'
        ? await requests.getMarkPriceKlines({ symbol, ...window })
        : await requests.getIndexPriceKlines({ pair: symbol, ...window });
    const candles = (rows as readonly Row[]).map(candleOf);
    if (end === undefined) {
      const found = candles.at(-1);
      // Prices that came while history was on its way are not in it.
      last = last !== undefined && last.time === found?.time ? withBoth(found, last) : found;
      isRead = true;
    }
    return candles;
  };
  return {
    read,
    follow: (take) =>
      ticker.subscribe((message) => {
        // Without its history the candle in progress has no opening price.
        if (message === undefined || !isRead) return;
        const price = Number(kind === 'mark' ? message.mark_price : message.index_price);
        const time = bucketStart(interval, now());
        // A candle shows the kept bucket that holds its opening time, and no price of a later one.
        if (bucketStart(kept, now()) !== bucketStart(kept, time)) return;
        const fresh = begin(time, price);
        last = last === undefined || last.time < time ? fresh : withBoth(last, fresh);
        take(last);
      }),
  };
}

/** The candle with the prices of a second one, which are later. */
const withBoth = (candle: Candle, { high, low, close }: Candle): Candle => ({
  ...candle,
  high: Math.max(candle.high, high),
  low: Math.min(candle.low, low),
  close,
});
