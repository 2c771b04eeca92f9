// The candles of one market and interval: what history has, and then every message. The chart alone
// uses floating-point numbers; nothing is computed from them.

import type { StreamClient } from '../../client/streamClient.ts';
import type { Interval } from '../../units/interval.ts';
import type { Requests } from './requests.ts';

export type Candle = {
  /** Milliseconds. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
};

export type CandleFeed = {
  /** Reads candles before the first one; resolves with whether there were any. */
  readonly readEarlier: () => Promise<boolean>;
  readonly close: () => void;
};

export type OpenCandleFeed = {
  readonly client: StreamClient;
  readonly requests: Pick<Requests, 'getCandles'>;
  readonly symbol: string;
  readonly interval: Interval;
  /** All candles, oldest first: at the start, and after earlier ones were read. */
  readonly onAll: (candles: readonly Candle[]) => void;
  /** The candle in progress; never older than the last one. */
  readonly onLast: (candle: Candle) => void;
  readonly onError: (error: unknown) => void;
};

type Row = {
  readonly open_time: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
};

const asked = 500;

const candleOf = ({ open_time, open, high, low, close, volume }: Row): Candle => ({
  time: open_time,
  open: Number(open),
  high: Number(high),
  low: Number(low),
  close: Number(close),
  volume: Number(volume),
});

/** Up to the time `end`, by default up to now; oldest first. */
async function readCandles(
  { requests, symbol, interval }: OpenCandleFeed,
  end?: number,
): Promise<readonly Candle[]> {
  const rows = await requests.getCandles({
    symbol,
    period: interval,
    limit: asked,
    ...(end === undefined ? {} : { end_time: end }),
  });
  return rows.map(candleOf);
}

export function openCandleFeed(options: OpenCandleFeed): CandleFeed {
  const { client, symbol, interval, onAll, onLast, onError } = options;
  const channel = `candles:${symbol}:${interval}` as const;
  let candles: Candle[] = [];
  let closed = false;
  /** History has come; messages before that wait here. */
  let early: Candle[] | undefined = [];
  const take = (candle: Candle): void => {
    const last = candles.at(-1);
    if (last !== undefined && candle.time < last.time) return;
    if (last?.time === candle.time) candles.pop();
    candles.push(candle);
    onLast(candle);
  };
  const begin = (history: readonly Candle[]): void => {
    if (closed) return;
    candles = [...history];
    onAll(candles);
    for (const candle of early ?? []) take(candle);
    early = undefined;
  };
  client.subscribe(channel, (message) => {
    const candle = candleOf(message);
    if (early === undefined) take(candle);
    else early.push(candle);
  });
  readCandles(options).then(begin, (error) => {
    // A market without a trade has no candles yet.
    begin([]);
    onError(error);
  });
  let reading = false;
  return {
    readEarlier: async () => {
      const [first] = candles;
      if (first === undefined || reading || closed) return false;
      reading = true;
      try {
        const earlier = (await readCandles(options, first.time - 1)).filter(
          ({ time }) => time < first.time,
        );
        if (earlier.length === 0 || closed) return false;
        candles = [...earlier, ...candles];
        onAll(candles);
        return true;
      } catch {
        return false;
      } finally {
        reading = false;
      }
    },
    close: () => {
      closed = true;
      client.unsubscribe(channel);
    },
  };
}
