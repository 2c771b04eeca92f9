// Buys at market, protects what it bought with a stop, and closes it at the end.
//
//   KEY=… SECRET=… node taker.ts http://127.0.0.1:8080 BTCUSDT 10
//
// Whatever fails, the position is closed. Only a program that is killed between the first two
// requests leaves a position without a stop; a login can place both in one request (stop_loss of
// POST /api/v1/orders).

import { ApiError, createClient } from '@evermark/client';
import { onGrid, plain, quantityFor, readGrids, scaled } from './grid.ts';
import { pause, readKey, readSetting } from './setting.ts';

const { baseUrl, symbol, duration } = readSetting();
const client = createClient({ baseUrl, ...readKey() });
const { tick, lot, minNotional } = await readGrids(client, symbol);
const [held] = await client.fapi.getPositionRiskV3({ symbol });
if (Number(held?.positionAmt ?? 0) !== 0) {
  // A purchase would reduce a short position, and the close would sell of a long one.
  throw new Error(`the account has a position in ${symbol} already; close it first`);
}
const index = await client.fapi.getPremiumIndex({ symbol });
const mark = Number('markPrice' in index ? index.markPrice : 0);
const wanted = quantityFor(minNotional * 2, mark, lot);
const buying = { symbol, side: 'BUY', type: 'MARKET', quantity: wanted } as const;
const bought = await client.fapi.placeOrder(buying);
const quantity = bought.executedQty;
console.log(`bought ${quantity} at ${bought.avgPrice}: ${bought.status}`);

async function protect(): Promise<string> {
  const ticks = onGrid(scaled((mark * 0.97).toFixed(tick.decimals), tick.decimals), tick);
  const stopPrice = plain(ticks, tick.decimals);
  // With a quantity of its own it closes no more than was bought here.
  const stop = { symbol, side: 'SELL', type: 'STOP_MARKET', stopPrice, quantity } as const;
  const { orderId } = await client.fapi.placeOrder({ ...stop, reduceOnly: true });
  console.log(`a stop waits at ${stopPrice}`);
  return orderId;
}

async function close(stop: string | undefined): Promise<void> {
  const closing = { symbol, side: 'SELL', type: 'MARKET', quantity } as const;
  try {
    const sold = await client.fapi.placeOrder({ ...closing, reduceOnly: true });
    console.log(`sold ${sold.executedQty} at ${sold.avgPrice}: ${sold.status}`);
    if (Number(sold.executedQty) < Number(quantity)) {
      console.log('the rest is still open: no orders within the price band. The stop stays.');
      return;
    }
  } catch (error) {
    // -2022: there is no position any more.
    if (!(error instanceof ApiError) || error.code !== -2022) throw error;
    console.log('the stop has closed the position');
  }
  if (stop === undefined) return;
  await client.fapi.cancelOrder({ symbol, orderId: stop }).catch((error) => {
    // -2011: it has fired.
    if (!(error instanceof ApiError) || error.code !== -2011) throw error;
  });
}

let stop: string | undefined;
try {
  stop = await protect();
  await pause(duration);
} finally {
  await close(stop);
}
for (const fill of await client.fapi.getUserTrades({ symbol, limit: 10 })) {
  const { side, qty, price, realizedPnl, commission } = fill;
  console.log(`${side} ${qty} at ${price}, profit ${realizedPnl}, fee ${commission}`);
}
