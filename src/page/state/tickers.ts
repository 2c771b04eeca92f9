// The tickers of the markets that something on the page shows, one signal for each. A channel is
// open as long as a part of the page watches it.

import { type Signal, signal } from '@preact/signals';
import type { MessageOf, StreamClient } from '../../client/streamClient.ts';

export type Ticker = MessageOf<`ticker:${string}`>;

export type Tickers = {
  /** The last message; undefined before the first. */
  readonly of: (symbol: string) => Signal<Ticker | undefined>;
  /** Opens the channel; returns the way to stop. */
  readonly watch: (symbol: string) => () => void;
};

export function createTickers(client: StreamClient): Tickers {
  const signals = new Map<string, Signal<Ticker | undefined>>();
  const watchers = new Map<string, number>();
  const of = (symbol: string): Signal<Ticker | undefined> => {
    let found = signals.get(symbol);
    if (found === undefined) {
      found = signal(undefined);
      signals.set(symbol, found);
    }
    return found;
  };
  return {
    of,
    watch: (symbol) => {
      const count = watchers.get(symbol) ?? 0;
      watchers.set(symbol, count + 1);
      if (count === 0) {
        client.subscribe(`ticker:${symbol}`, (message) => {
          of(symbol).value = message;
        });
      }
      let stopped = false;
      return () => {
        if (stopped) return;
        stopped = true;
        const left = (watchers.get(symbol) ?? 1) - 1;
        watchers.set(symbol, left);
        if (left === 0) client.unsubscribe(`ticker:${symbol}`);
      };
    },
  };
}
