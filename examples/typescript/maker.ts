// Quotes both sides of a market around its mark and moves the quotes with it.
//
//   KEY=… SECRET=… node maker.ts http://127.0.0.1:8080 BTCUSDT 60
//
// Quotes are post-only. While it runs it renews a countdown: if it dies, the exchange cancels its
// orders after ten seconds. A side that would make the position larger than five quotes is left
// out. What it has bought or sold stays as a position at the end.

import { ApiError, createClient } from '@evermark/client';
import { onGrid, plain, quantityFor, readGrids, scaled } from './grid.ts';
import { pause, readKey, readSetting } from './setting.ts';

/** Distance of a quote from the mark, and how far the mark may move until quotes follow. */
const [distance, tolerance] = [0.001, 0.0003];
const countdownMs = 10_000;
/** The largest position, in quotes. */
const quotesMax = 5;

const { baseUrl, symbol, duration } = readSetting();
const client = createClient({ baseUrl, ...readKey() });
const { tick, lot, minNotional } = await readGrids(client, symbol);
const until = Date.now() + duration;
let quotedAt = 0;
let renewedAt = Date.now();

const priceAt = (mark: number, factor: number): string =>
  plain(onGrid(scaled((mark * factor).toFixed(tick.decimals), tick.decimals), tick), tick.decimals);

/** In the base asset, with a sign. */
async function readPosition(): Promise<number> {
  const [position] = await client.fapi.getPositionRiskV3({ symbol });
  return Number(position?.positionAmt ?? 0);
}

async function quote(mark: number): Promise<void> {
  await client.fapi.cancelAllOpenOrders({ symbol });
  const quantity = quantityFor(minNotional * 2, mark, lot);
  const position = await readPosition();
  for (const [side, sign, factor] of [
    ['BUY', 1, 1 - distance],
    ['SELL', -1, 1 + distance],
  ] as const) {
    if (sign * position + Number(quantity) > quotesMax * Number(quantity)) {
      console.log(`${side}: the position is ${position} already`);
      continue;
    }
    const order = { symbol, side, type: 'LIMIT', timeInForce: 'GTX', quantity } as const;
    try {
      const placed = await client.fapi.placeOrder({ ...order, price: priceAt(mark, factor) });
      console.log(`${side} ${placed.origQty} at ${placed.price}`);
    } catch (error) {
      // -2010: a rule refuses this quote, and the text says which. Mostly the book has moved, and it
      // would have traded at once.
      if (!(error instanceof ApiError) || error.code !== -2010) throw error;
      console.log(`${side}: ${error.detail}`);
    }
  }
  quotedAt = mark;
}

try {
  while (Date.now() < until) {
    await client.fapi.setCountdownCancelAll({ symbol, countdownTime: countdownMs });
    // After a pause of this program the countdown may have cancelled the quotes.
    if (Date.now() - renewedAt > countdownMs / 2) quotedAt = 0;
    renewedAt = Date.now();
    const index = await client.fapi.getPremiumIndex({ symbol });
    const mark = Number('markPrice' in index ? index.markPrice : 0);
    if (Math.abs(mark - quotedAt) > mark * tolerance) await quote(mark);
    await pause(1000);
  }
} finally {
  await client.fapi.cancelAllOpenOrders({ symbol });
  await client.fapi.setCountdownCancelAll({ symbol, countdownTime: 0 });
}
console.log(`the position is ${await readPosition()}`);
console.log('all quotes are cancelled');
