// What one source has last stated of each symbol, and for how long that counts as live (PRC-2).
// Whether a statement was a price at all has been judged before it comes here.

import type { Clock } from '../../std/clock.ts';
import type { FeedPrice } from '../indexFeed.ts';

/** How long after its last good answer a source still counts as live, milliseconds. */
export const liveMs = 3000;
/**
 * How long an exchange's own clock may stand still, and a later statement may not be an older one.
 */
export const frozenMs = 10_000;
/** How long a stream may stand by a price without stating it anew, milliseconds. */
export const quietMs = 60_000;

export type Statement = {
  readonly symbol: string;
  /** Plain decimal text above 0. */
  readonly price: string;
  /** The source's own time or number of the statement; a lower one is older. */
  readonly order?: number | undefined;
};

export type PriceBoard = {
  /** Takes a statement that has just come in; gives the problem when it is dropped. */
  readonly take: (statement: Statement) => string | undefined;
  /** The source stands by its last price of the symbol; gives the problem when it cannot. */
  readonly confirm: (symbol: string) => string | undefined;
  /** The symbols that `take` has taken since the last `renew`. */
  readonly has: (symbol: string) => boolean;
  /** A new connection: numbers begin anew, and prices of the old one no longer count. */
  readonly renew: () => void;
  /** What is live at `now`. */
  readonly poll: (now: number) => readonly FeedPrice[];
};

export type PriceBoardOptions = {
  readonly source: string;
  readonly clock: Clock;
  /** Orders are times of the source's clock, which moves even when the market is calm. */
  readonly orderIsClock: boolean;
};

type Entry = {
  readonly price: string;
  readonly order: number | undefined;
  /** When the order last grew, and when the last statement was taken; receipt times. */
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
      // A source whose numbers have jumped back for good is believed again after a while.
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

// Each receipt is later than the one before, also on a clock that has been set back: the engine
// ignores what is not newer.
const stamp = (now: number, last: Entry | undefined): number =>
  Math.max(now, (last?.observedAt ?? 0) + 1);
