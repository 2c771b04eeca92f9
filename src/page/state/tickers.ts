// The tickers of all markets, one signal for each, kept by the channel of all markets. Mark and
// index of the market on the screen come more often, with its prices.

import { batch, type Signal, signal } from '@preact/signals';
import type { MessageOf, StreamClient } from '../../client/streamClient.ts';

export type Ticker = MessageOf<'tickers'>['tickers'][number];
export type Prices = MessageOf<`prices:${string}`>;

export type Tickers = {
  /** The last one; undefined before the market's first. */
  readonly of: (symbol: string) => Signal<Ticker | undefined>;
  /** Mark and index are now these. */
  readonly takePrices: (prices: Prices) => void;
};

export function createTickers(client: StreamClient): Tickers {
  const signals = new Map<string, Signal<Ticker | undefined>>();
  const of = (symbol: string): Signal<Ticker | undefined> => {
    let found = signals.get(symbol);
    if (found === undefined) {
      found = signal(undefined);
      signals.set(symbol, found);
    }
    return found;
  };
  client.subscribe('tickers', ({ tickers }) => {
    batch(() => {
      for (const ticker of tickers) of(ticker.symbol).value = ticker;
    });
  });
  return {
    of,
    takePrices: ({ symbol, mark_price, index_price }) => {
      const ticker = of(symbol);
      const known = ticker.peek();
      if (known !== undefined) ticker.value = { ...known, mark_price, index_price };
    },
  };
}
