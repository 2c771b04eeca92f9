// The port of an index feed: where a price of a source comes from. What becomes of the prices
// stands in indexKeeper.ts; the feeds themselves in simFeed.ts, manualFeed.ts, replayFeed.ts and,
// of prices outside the machine, in sources/.

import type { Grid } from '../engine/marketTerms.ts';

/** A symbol in its canonical form (SYM-0), as options and files of sources name it. */
export const symbolPattern = /^[A-Z0-9]{2,32}$/;

/** One source's price of one symbol, as the source states it at `observedAt`. */
export type FeedPrice = {
  /** Canonical symbol (SYM-0). */
  readonly symbol: string;
  readonly source: string;
  /** Plain decimal text; it need not lie on the market's grid. */
  readonly price: string;
  /** Milliseconds since the Unix epoch. A live source states its price anew at every poll. */
  readonly observedAt: number;
};

export type IndexFeed = {
  /** The name under which markets list it among their index sources. */
  readonly source: string;
  /**
   * What the feed's live sources state at `now` (milliseconds, greater at every call). A source
   * that has died is left out: age must measure the source and not the market's calm (PRC-2).
   */
  readonly poll: (now: number) => readonly FeedPrice[];
  /** Lets go of files and sockets; nothing is polled afterwards. */
  readonly close: () => Promise<void>;
};

/** A market as a keeper must know it. */
export type KeptMarket = { readonly symbol: string; readonly tick: Grid };

/** Where a keeper says what its operator should know: one sentence, without secrets. */
export type Report = (message: string) => void;
