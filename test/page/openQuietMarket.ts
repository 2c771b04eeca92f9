// A market whose price stands still, with one trader's orders on both sides. Nothing in it depends
// on how long a test takes: the house maker's quotes end when a busy machine lets it miss its
// countdown (ORD-13), and a simulated price moves on.

import { setPrice } from '../fixtures/setPrice.ts';
import type { RunningServer } from '../fixtures/startServer.ts';
import { openTrader } from './openTrader.ts';

/** Of the stage that `openQuietMarket` needs. */
export const quietFlags: readonly string[] = ['--feed', 'manual', '--no-market-maker'];

export const quietPrice = 115_000;
const levels = 5;

/** Fifty thousand USDT and more on each level. */
export async function openQuietMarket(server: RunningServer, symbol: string): Promise<void> {
  await setPrice(server.operator, { symbol, price: String(quietPrice) });
  const trader = await openTrader(server, { seed: 60, amount: '1000000' });
  for (let level = 1; level <= levels; level += 1) {
    const order = { symbol, type: 'LIMIT', quantity: '0.5' } as const;
    await trader.placeNativeOrder({ ...order, side: 'SELL', price: `${quietPrice + 10 * level}` });
    await trader.placeNativeOrder({ ...order, side: 'BUY', price: `${quietPrice - 10 * level}` });
  }
}
