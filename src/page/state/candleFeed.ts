// The candles of one market and interval: what history has, and then every change. The chart alone
// uses floating-point numbers; nothing is computed from them. Where they come from: their source.

import { ApiError } from '../../client/apiError.ts';
import { bucketAfter, type Interval } from '../../units/interval.ts';

export type Candle = {
  /** Milliseconds. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** Whether its time is over, so that it is whole. */
  readonly closed: boolean;
};

export type CandleFeed = {
  /** Reads candles before the first one, if there are any. */
  readonly readEarlier: () => Promise<void>;
  readonly close: () => void;
};

/** Where candles come from: trades, the mark, or the index. */
export type CandleSource = {
  /** Up to the time `end`, by default up to now; oldest first, at most `candlesAsked`. */
  readonly read: (end?: number) => Promise<readonly Candle[]>;
  /** Calls with the candle in progress; returns the way to stop. */
  readonly follow: (take: (candle: Candle) => void) => () => void;
};

export type OpenCandleFeed = {
  readonly source: CandleSource;
  readonly interval: Interval;
  /** All candles, oldest first: at the start, and after earlier ones were read. */
  readonly onAll: (candles: readonly Candle[]) => void;
  /** The candle in progress; never older than the last one. */
  readonly onLast: (candle: Candle) => void;
};

export const candlesAsked = 500;
const retryMs = 3000;

type Run = {
  readonly options: OpenCandleFeed;
  candles: Candle[];
  /** The last message of each candle waits here for history; undefined once that has come. */
  early: Candle[] | undefined;
  /** Whether there may be earlier candles: an answer that is not full was the last. */
  hasMore: boolean;
  isReadingEarlier: boolean;
  isClosed: boolean;
  retry: ReturnType<typeof setTimeout> | undefined;
};

export function openCandleFeed(options: OpenCandleFeed): CandleFeed {
  const run: Run = {
    options,
    candles: [],
    early: [],
    hasMore: true,
    isReadingEarlier: false,
    isClosed: false,
    retry: undefined,
  };
  const stop = options.source.follow((candle) => take(run, candle));
  load(run);
  return {
    readEarlier: () => readEarlier(run),
    close: () => {
      run.isClosed = true;
      clearTimeout(run.retry);
      stop();
    },
  };
}

/** Reads history; messages that come meanwhile follow it. */
function load(run: Run): void {
  run.early ??= [];
  run.options.source.read().then(
    (history) => begin(run, history),
    (error) => {
      if (run.isClosed) return;
      // A market without a trade has no candles yet. Any other failure passes.
      if (error instanceof ApiError && error.code === 'ERR_NO_DATA') begin(run, []);
      else run.retry = setTimeout(() => load(run), retryMs);
    },
  );
}

function begin(run: Run, history: readonly Candle[]): void {
  if (run.isClosed) return;
  run.hasMore = history.length === candlesAsked;
  run.candles = [...history];
  run.options.onAll(run.candles);
  const waiting = run.early ?? [];
  run.early = undefined;
  for (const candle of waiting) append(run, candle);
}

function take(run: Run, candle: Candle): void {
  const { early } = run;
  if (early !== undefined) {
    if (early.at(-1)?.time === candle.time) early.pop();
    early.push(candle);
  } else if (follows(run, candle)) {
    append(run, candle);
  } else {
    run.early = [candle];
    load(run);
  }
}

/**
 * Whether nothing is missing before this candle. After a time without messages, longer than the
 * channel remembers or between history and the first message, the end of the last candle and whole
 * candles are missing.
 */
function follows({ candles, options }: Run, { time }: Candle): boolean {
  const last = candles.at(-1);
  if (last === undefined || time <= last.time) return true;
  return last.closed && time <= bucketAfter(options.interval, last.time, 1);
}

function append({ candles, options }: Run, candle: Candle): void {
  const last = candles.at(-1);
  if (last !== undefined && isEarlierState(candle, last)) return;
  if (last?.time === candle.time) candles.pop();
  candles.push(candle);
  options.onLast(candle);
}

/**
 * A message can be older than the history that was read after it was sent. The volume of a candle
 * only rises, so the state with less of it was first.
 */
function isEarlierState(candle: Candle, known: Candle): boolean {
  if (candle.time !== known.time) return candle.time < known.time;
  return candle.volume < known.volume || (known.closed && !candle.closed);
}

async function readEarlier(run: Run): Promise<void> {
  const [first] = run.candles;
  if (first === undefined || !run.hasMore || run.isReadingEarlier || run.isClosed) return;
  run.isReadingEarlier = true;
  try {
    const found = await run.options.source.read(first.time - 1);
    if (run.isClosed || run.candles[0] !== first) return;
    run.hasMore = found.length === candlesAsked;
    run.candles = [...found.filter(({ time }) => time < first.time), ...run.candles];
    run.options.onAll(run.candles);
  } catch {
    // The person scrolls again.
  } finally {
    run.isReadingEarlier = false;
  }
}
