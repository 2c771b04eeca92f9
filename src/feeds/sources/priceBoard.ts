// The last statement of one source about each symbol, and how long it counts as live (PRC-2). Other
// files have already checked that a statement is a price.

import type { Clock } from '../../std/clock.ts';
import type { FeedPrice } from '../indexFeed.ts';

/** How long after its last good answer a source still counts as live, milliseconds. */
export const liveMs = 3000;
/**
 * How long an exchange's own clock may stand still. For as long, a later statement may not be an
 * older one.
 */
export const frozenMs = 10_000;
/** How long a stream may confirm a price without stating it again, milliseconds. */
export const quietMs = 60_000;

export type Statement = {
  readonly symbol: string;
  /** Plain decimal text above 0. */
  readonly price: string;
  /** The source's own time or number of the statement; a lower one is older. */
  readonly order?: number | undefined;
};

export type PriceBoard = {
  /** Takes a new statement; gives the problem when the statement is dropped. */
  readonly take: (statement: Statement) => string | undefined;
  /** The source confirms its last price of the symbol; gives the problem when it cannot. */
  readonly confirm: (symbol: string) => string | undefined;
  /** The symbols that `take` has taken since the last `renew`. */
  readonly has: (symbol: string) => boolean;
  /**
   * A new connection: numbers begin anew, and prices of the old connection do not count any more.
   */
  readonly renew: () => void;
  /** The prices that are live at `now`. */
  readonly poll: (now: number) => readonly FeedPrice[];
};

export type PriceBoardOptions = {
  readonly source: string;
  readonly clock: Clock;
  /** Orders are times of the source's clock, which advances even when the market is calm. */
  readonly orderIsClock: boolean;
};

type Entry = {
  readonly price: string;
  readonly order: number | undefined;
  /** When the order last grew, and when the last statement was taken; both are times of receipt. */
  readonly movedAt: number;
  readonly takenAt: number;
  readonly observedAt: number;
  readonly current: boolean;
};

export function createPriceBoard({ source, clock, orderIsClock }: PriceBoardOptions): PriceBoard {
  const entries = new Map<string, Entry>();
  return {
    take: ({ symbol, price, order }) => {
      const now = clock.now();
      const last = entries.get(symbol);
      const compared = last?.current && last.order !== undefined && order !== undefined;
      const same = compared && order === last.order;
      if (same && orderIsClock && now - last.movedAt > frozenMs) return 'its clock stands still';
      // When a source's numbers have jumped back for good, its statements count again after a
      // while.
      if (compared && order < last.order! && now - last.takenAt <= frozenMs) {
        return 'it is older than the one before it';
      }
      const movedAt = same ? last.movedAt : now;
      const observedAt = stamp(now, last);
      entries.set(symbol, { price, order, movedAt, takenAt: now, observedAt, current: true });
      return undefined;
    },
    confirm: (symbol) => {
      const now = clock.now();
      const last = entries.get(symbol);
      if (!last?.current) return 'no price has come since the connection was opened';
      if (now - last.takenAt > quietMs) return 'no price of its own has come for a minute';
      entries.set(symbol, { ...last, observedAt: stamp(now, last) });
      return undefined;
    },
    has: (symbol) => entries.get(symbol)?.current === true,
    renew: () => {
      for (const [symbol, entry] of entries) entries.set(symbol, { ...entry, current: false });
    },
    poll: (now) => {
      const live: FeedPrice[] = [];
      for (const [symbol, { price, observedAt }] of entries) {
        if (now - observedAt <= liveMs) live.push({ symbol, source, price, observedAt });
      }
      return live;
    },
  };
}

// Each receipt is later than the one before, even when the clock has been set back: the engine
// ignores a price that is not newer.
const stamp = (now: number, last: Entry | undefined): number =>
  Math.max(now, (last?.observedAt ?? 0) + 1);
