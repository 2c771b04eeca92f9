// What the page shows of one market: its prices, its book and its last trades, each kept by the
// messages of its channel. Parts that are drawn many times a second listen and use no signals; they
// hear of many messages once, before a frame (framePace.ts).

import { type Signal, signal } from '@preact/signals';
import type { Book } from '../../client/book.ts';
import { keepBook } from '../../client/keepBook.ts';
import type { StreamClient } from '../../client/streamClient.ts';
import { followTrades, type TradeRow, type Trades } from './followTrades.ts';
import type { BeforeFrame } from './framePace.ts';
import type { Market } from './market.ts';
import type { Prices } from './tickers.ts';

export type MarketFeed = {
  readonly market: Market;
  /** Mark, index and funding, twice a second; undefined before the market has any. */
  readonly prices: Signal<Prices | undefined>;
  readonly last: Trades['last'];
  readonly book: Book;
  /** Newest first; as of the last frame. */
  readonly trades: readonly TradeRow[];
  /** Whether the book is the exchange's: a snapshot has come and every checksum held. */
  readonly bookIsLive: Signal<boolean>;
  /** Calls before a frame when the book has changed; returns the way to stop. */
  readonly onBook: (listener: () => void) => () => void;
  readonly onTrades: (listener: () => void) => () => void;
  /** How often the book had to begin anew because a checksum did not hold. */
  readonly checksumFailures: () => number;
  readonly close: () => void;
};

const atOnce: BeforeFrame = (step) => step();

export function openMarketFeed(
  client: StreamClient,
  market: Market,
  beforeFrame: BeforeFrame = atOnce,
): MarketFeed {
  const { symbol } = market;
  const prices: MarketFeed['prices'] = signal(undefined);
  const bookIsLive = signal(false);
  const bookListeners = new Set<() => void>();
  const tradeListeners = new Set<() => void>();
  let isPlanned = false;
  const sayBook = (): void => {
    isPlanned = false;
    for (const listener of bookListeners) listener();
  };
  const onChange = (isLive: boolean): void => {
    bookIsLive.value = isLive;
    if (isPlanned) return;
    isPlanned = true;
    beforeFrame(sayBook);
  };
  const kept = keepBook(client, { symbol, tick: market.tick, lot: market.lot, onChange });
  client.subscribe(`prices:${symbol}`, (message) => {
    prices.value = message;
  });
  const { last, rows } = followTrades(client, {
    symbol,
    beforeFrame,
    onChange: () => {
      for (const listener of tradeListeners) listener();
    },
  });
  return {
    market,
    prices,
    last,
    book: kept.book,
    get trades() {
      return rows();
    },
    bookIsLive,
    onBook: (listener) => listenTo(bookListeners, listener),
    onTrades: (listener) => listenTo(tradeListeners, listener),
    checksumFailures: kept.checksumFailures,
    close: () => {
      kept.close();
      for (const channel of ['prices', 'trades'] as const) {
        client.unsubscribe(`${channel}:${symbol}`);
      }
    },
  };
}

function listenTo(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
