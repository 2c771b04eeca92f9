// The port of an index feed, which gives the prices of a source. indexPublisher.ts submits the
// prices. The feeds are in simFeed.ts, manualFeed.ts and replayFeed.ts; those with external prices
// are in sources/.

import type { Grid } from '../engine/marketTerms.ts';

/** A symbol in its canonical form (SYM-0), as options and files of sources write it. */
export const symbolPattern = /^[A-Z0-9]{2,32}$/;

/** One source's price of one symbol, as the source states it at `observedAt`. */
export type FeedPrice = {
  /** Canonical symbol (SYM-0). */
  readonly symbol: string;
  readonly source: string;
  /** Plain decimal text. It need not be on the market's grid. */
  readonly price: string;
  /** Milliseconds since the Unix epoch. A live source states its price again at every poll. */
  readonly observedAt: number;
};

export type IndexFeed = {
  /** The name under which markets list it among their index sources. */
  readonly source: string;
  /**
   * The prices of the feed's live sources at `now` (milliseconds, greater at every call). A source
   * that has stopped is left out, because the age of a price must show whether its source works and
   * not whether the market is calm (PRC-2).
   */
  readonly poll: (now: number) => readonly FeedPrice[];
  /** Closes files and sockets; it is not polled afterwards. */
  readonly close: () => Promise<void>;
};

/** What a publisher must know of a market. */
export type KeptMarket = { readonly symbol: string; readonly tick: Grid };

/** Receives what the operator should know: one sentence, without secrets. */
export type Report = (message: string) => void;
