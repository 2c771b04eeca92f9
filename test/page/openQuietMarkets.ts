// Markets whose prices stand still, with one trader's orders on both sides. Nothing in them depends
// on how long a test takes: the house maker's quotes end when a busy machine lets it miss its
// countdown (ORD-13), and a simulated price moves on.

import type { Client } from '../../src/client/client.ts';
import { setPrice } from '../fixtures/setPrice.ts';
import type { RunningServer } from '../fixtures/startServer.ts';
import { openTrader } from './openTrader.ts';

/** Flags of the program whose markets these are. */
export const quietFlags: readonly string[] = ['--feed', 'manual', '--no-market-maker'];

const books = {
  BTCUSDT: { price: 115_000, step: 25, quantity: '0.5' },
  ETHUSDT: { price: 4000, step: 1, quantity: '15' },
} as const;

export type QuietMarket = keyof typeof books;

const levels = 5;

/** A program that was started again has forgotten them. */
export async function setQuietPrices(
  operator: Client['operator'],
  symbols: readonly QuietMarket[],
): Promise<void> {
  for (const symbol of symbols) {
    await setPrice(operator, { symbol, price: String(books[symbol].price) });
  }
}

/** About 60,000 USDT on each of five levels a side, which are a fiftieth of a percent apart. */
export async function openQuietMarkets(
  server: Pick<RunningServer, 'http' | 'operator'>,
  symbols: readonly QuietMarket[],
): Promise<void> {
  await setQuietPrices(server.operator, symbols);
  const trader = await openTrader(server, { seed: 60, amount: '1000000' });
  for (const symbol of symbols) {
    const { price, step, quantity } = books[symbol];
    for (let level = 1; level <= levels; level += 1) {
      const order = { symbol, type: 'LIMIT', quantity } as const;
      const away = step * level;
      await trader.placeNativeOrder({ ...order, side: 'SELL', price: String(price + away) });
      await trader.placeNativeOrder({ ...order, side: 'BUY', price: String(price - away) });
    }
  }
}
