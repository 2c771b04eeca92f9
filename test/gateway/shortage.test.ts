// What clients read while the machine is short of disk or memory (AUTH-6a): not that they asked too
// much.

import { afterEach, expect, test } from 'vitest';
import type { Shortage } from '../../src/replica/replica.ts';
import { openWorld, type World } from './gatewayWorld.ts';

let world: World | undefined;
afterEach(() => world?.close());

test('AUTH-6a a full disk and low memory are not answered like a limit, and cancels pass', async () => {
  let shortage: Shortage | undefined;
  world = await openWorld({ replica: { shortage: () => shortage } });
  const trader = await world.newTrader();
  const order = {
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: '0.01',
    price: '59000',
  };
  const place = () => world!.call(trader, 'POST', '/fapi/v1/order', order);
  const placed = await place();
  expect(placed.status).toBe(200);
  for (const [short, text] of [
    ['diskFull', 'The disk of the exchange is full; the order was not executed.'],
    ['memoryShort', 'The exchange is short of memory; the order was not executed.'],
  ] as const) {
    shortage = short;
    world.replica.tick();
    const refused = await place();
    expect([refused.status, refused.body]).toEqual([503, { code: -1008, msg: text }]);
  }
  const { orderId } = placed.body;
  const which = { symbol: 'BTCUSDT', orderId };
  expect((await world.call(trader, 'DELETE', '/fapi/v1/order', which)).status).toBe(200);
  shortage = undefined;
  world.replica.tick();
  expect((await place()).status).toBe(200);
});
