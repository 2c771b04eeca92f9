// Quotes both sides of a market around its mark and moves the quotes with it.
//
//   KEY=… SECRET=… node maker.ts http://127.0.0.1:8080 BTCUSDT 60
//
// Quotes are post-only. While it runs it renews a countdown: if it dies, the exchange cancels its
// orders after ten seconds.

import { ApiError, createClient } from '@evermark/client';
import { onGrid, plain, quantityFor, readGrids, scaled } from './grid.ts';
import { pause, readKey, readSetting } from './setting.ts';

/** Distance of a quote from the mark, and how far the mark may move until quotes follow. */
const [distance, tolerance] = [0.001, 0.0003];
const countdownMs = 10_000;

const { baseUrl, symbol, duration } = readSetting();
const client = createClient({ baseUrl, ...readKey() });
const { tick, lot, minNotional } = await readGrids(client, symbol);
const until = Date.now() + duration;
let quotedAt = 0;

const priceAt = (mark: number, factor: number): string =>
  plain(onGrid(scaled((mark * factor).toFixed(tick.decimals), tick.decimals), tick), tick.decimals);

async function quote(mark: number): Promise<void> {
  await client.fapi.cancelAllOpenOrders({ symbol });
  const quantity = quantityFor(minNotional * 2, mark, lot);
  for (const [side, factor] of [
    ['BUY', 1 - distance],
    ['SELL', 1 + distance],
  ] as const) {
    const order = { symbol, side, type: 'LIMIT', timeInForce: 'GTX', quantity } as const;
    try {
      const placed = await client.fapi.placeOrder({ ...order, price: priceAt(mark, factor) });
      console.log(`${side} ${placed.origQty} at ${placed.price}`);
    } catch (error) {
      // -2010: the book has moved, and the quote would have traded at once.
      if (!(error instanceof ApiError) || error.code !== -2010) throw error;
      console.log(`${side}: ${error.detail}`);
    }
  }
  quotedAt = mark;
}

try {
  while (Date.now() < until) {
    await client.fapi.setCountdownCancelAll({ symbol, countdownTime: countdownMs });
    const index = await client.fapi.getPremiumIndex({ symbol });
    const mark = Number('markPrice' in index ? index.markPrice : 0);
    if (Math.abs(mark - quotedAt) > mark * tolerance) await quote(mark);
    await pause(1000);
  }
} finally {
  await client.fapi.cancelAllOpenOrders({ symbol });
  await client.fapi.setCountdownCancelAll({ symbol, countdownTime: 0 });
}
console.log('all quotes are cancelled');
