// Prints every liquidation of every market as it happens, and the insurance fund.
//
//   node liquidationWatcher.ts http://127.0.0.1:8080 BTCUSDT 60
//
// The stream has the shape that clients of the futures API know.

import { createClient } from '@evermark/client';
import { WebSocket } from 'ws';
import { pause, readSetting } from './setting.ts';

const { baseUrl, socketUrl, duration } = readSetting();
const client = createClient({ baseUrl });

const socket = new WebSocket(`${socketUrl}/ws/!forceOrder@arr`);
socket.on('message', (data) => {
  const { o: order, E: time } = JSON.parse(String(data));
  const { s: symbol, S: side, q: quantity, ap: price } = order;
  console.log(`${new Date(time).toISOString()} ${symbol} ${side} ${quantity} at ${price}`);
});
await new Promise((resolve, reject) => {
  socket.on('open', resolve);
  socket.on('error', reject);
});
console.log('watching');
await pause(duration);
socket.close();
console.log(JSON.stringify(await client.native.getInsuranceFund()));
