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

const candleOf = ([time, open, high, low, close]: Row): Candle => ({
  time,
  open: Number(open),
  high: Number(high),
  low: Number(low),
  close: Number(close),
  volume: 0,
});

export function priceCandles(options: PriceCandles): CandleSource {
  const { kind, requests, ticker, now, symbol, interval } = options;
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
      last = candles.at(-1);
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
        last = withPrice(last, bucketStart(servedFrom(interval), now()), price);
        take(last);
      }),
  };
}

/** The candle in progress after this price; a new one when its time has come. */
function withPrice(last: Candle | undefined, time: number, price: number): Candle {
  if (last === undefined || last.time < time) {
    return { time, open: price, high: price, low: price, close: price, volume: 0 };
  }
  const { high, low } = last;
  return { ...last, high: Math.max(high, price), low: Math.min(low, price), close: price };
}
