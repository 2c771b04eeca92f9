// What the page shows of one market: its prices, its book and its last trades, each kept by the
// messages of its channel. Parts that are drawn many times a second listen and use no signals.

import { type Signal, signal } from '@preact/signals';
import type { Book } from '../../client/book.ts';
import { keepBook } from '../../client/keepBook.ts';
import type { MessageOf, StreamClient } from '../../client/streamClient.ts';
import type { Market } from './market.ts';
import type { Prices } from './tickers.ts';

export type TradeRow = MessageOf<`trades:${string}`>['trades'][number];

export type MarketFeed = {
  readonly market: Market;
  /** Mark, index and funding, twice a second; undefined before the market has any. */
  readonly prices: Signal<Prices | undefined>;
  /** Price of the last trade, and how it compares with the one before. */
  readonly last: Signal<{ readonly price: string; readonly direction: -1 | 0 | 1 } | undefined>;
  readonly book: Book;
  /** Newest first. */
  readonly trades: readonly TradeRow[];
  /** Whether the book is the exchange's: a snapshot has come and every checksum held. */
  readonly bookIsLive: Signal<boolean>;
  /** Calls after every change of the book; returns the way to stop. */
  readonly onBook: (listener: () => void) => () => void;
  readonly onTrades: (listener: () => void) => () => void;
  /** How often the book had to begin anew because a checksum did not hold. */
  readonly checksumFailures: () => number;
  readonly close: () => void;
};

export const tradesKept = 100;

export function openMarketFeed(client: StreamClient, market: Market): MarketFeed {
  const { symbol } = market;
  const prices: MarketFeed['prices'] = signal(undefined);
  const last: MarketFeed['last'] = signal(undefined);
  const bookIsLive = signal(false);
  let trades: TradeRow[] = [];
  const bookListeners = new Set<() => void>();
  const tradeListeners = new Set<() => void>();
  const onChange = (isLive: boolean): void => {
    bookIsLive.value = isLive;
    for (const listener of bookListeners) listener();
  };
  const kept = keepBook(client, { symbol, tick: market.tick, lot: market.lot, onChange });
  client.subscribe(`prices:${symbol}`, (message) => {
    prices.value = message;
  });
  client.subscribe(`trades:${symbol}`, ({ snapshot, trades: fresh }) => {
    const before = snapshot ? [] : trades;
    trades = [...fresh.toReversed(), ...before].slice(0, tradesKept);
    const [newest, second] = trades;
    if (newest !== undefined) {
      last.value = { price: newest.price, direction: directionOf(newest, second) };
    }
    for (const listener of tradeListeners) listener();
  });
  return {
    market,
    prices,
    last,
    book: kept.book,
    get trades() {
      return trades;
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

/** All prices of a market have equally many decimals. */
function directionOf(newest: TradeRow, second: TradeRow | undefined): -1 | 0 | 1 {
  if (second === undefined || newest.price === second.price) return 0;
  const higher =
    newest.price.length === second.price.length
      ? newest.price > second.price
      : newest.price.length > second.price.length;
  return higher ? 1 : -1;
}
