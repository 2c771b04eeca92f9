// Buys at market, protects the position with a stop, and closes it at the end.
//
//   KEY=… SECRET=… node taker.ts http://127.0.0.1:8080 BTCUSDT 10

import { createClient } from '@evermark/client';
import { onGrid, plain, quantityFor, readGrids, scaled } from './grid.ts';
import { pause, readKey, readSetting } from './setting.ts';

const { baseUrl, symbol, duration } = readSetting();
const client = createClient({ baseUrl, ...readKey() });
const { tick, lot, minNotional } = await readGrids(client, symbol);
const index = await client.fapi.getPremiumIndex({ symbol });
const mark = Number('markPrice' in index ? index.markPrice : 0);

const quantity = quantityFor(minNotional * 2, mark, lot);
const bought = await client.fapi.placeOrder({ symbol, side: 'BUY', type: 'MARKET', quantity });
console.log(`bought ${bought.executedQty} at ${bought.avgPrice}: ${bought.status}`);

const stop = onGrid(scaled((mark * 0.97).toFixed(tick.decimals), tick.decimals), tick);
const stopPrice = plain(stop, tick.decimals);
const type = 'STOP_MARKET';
await client.fapi.placeOrder({ symbol, side: 'SELL', type, stopPrice, closePosition: true });
console.log(`a stop waits at ${stopPrice}`);

await pause(duration);

const closing = { symbol, side: 'SELL', type: 'MARKET', quantity: bought.executedQty } as const;
const sold = await client.fapi.placeOrder({ ...closing, reduceOnly: true });
console.log(`sold ${sold.executedQty} at ${sold.avgPrice}: ${sold.status}`);
await client.fapi.cancelAllOpenOrders({ symbol });
for (const fill of await client.fapi.getUserTrades({ symbol, limit: 10 })) {
  const { side, qty, price, realizedPnl, commission } = fill;
  console.log(`${side} ${qty} at ${price}, profit ${realizedPnl}, fee ${commission}`);
}
