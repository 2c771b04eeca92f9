// Keeps a copy of a market's book by its depth channel (WS-2). A copy whose checksum does not hold
// begins anew, so that it is the exchange's book or says that it is not.

import { type Book, createBook, type DepthMessage, takeDepth } from './book.ts';
import type { Grid } from './grid.ts';
import type { StreamClient } from './streamClient.ts';

export type BookOptions = {
  /** As the exchange writes it: capitals, without a separator. */
  readonly symbol: string;
  readonly tick: Grid;
  readonly lot: Grid;
  /**
   * Called after every message, and when the connection breaks or comes back, with whether the copy
   * is the exchange's book.
   */
  readonly onChange: (isLive: boolean) => void;
};

export type KeptBook = {
  readonly book: Book;
  /** How often it had to begin anew because a checksum did not hold. */
  readonly checksumFailures: () => number;
  readonly close: () => void;
};

export function keepBook(client: StreamClient, options: BookOptions): KeptBook {
  const { symbol, tick, lot, onChange } = options;
  const channel = `depth:${symbol}` as const;
  const book = createBook({ tick, lot });
  let failures = 0;
  /** Whether the last checksum held. */
  let holds = false;
  let isLive = false;
  const read = (message: DepthMessage): void => {
    holds = takeDepth(book, message);
    isLive = holds;
    if (!holds) {
      failures += 1;
      client.unsubscribe(channel);
      client.subscribe(channel, read, follow);
    }
    onChange(holds);
  };
  const follow = (isFollowed: boolean): void => {
    if (isFollowed === isLive || (isFollowed && !holds)) return;
    isLive = isFollowed;
    onChange(isLive);
  };
  client.subscribe(channel, read, follow);
  return {
    book,
    checksumFailures: () => failures,
    close: () => {
      isLive = false;
      client.unsubscribe(channel);
    },
  };
}
