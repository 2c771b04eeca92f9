// Nothing leaves before it is durable, and what cannot wait is refused (Overload).

import { afterEach, expect, test } from 'vitest';
import { openWorld, type World, worldTerms } from './gatewayWorld.ts';

let world: World;
afterEach(() => world.close());

const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' };
const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Syncs the log, which does nothing by itself, until the promise is settled. */
async function synced<T>(of: World, promise: Promise<T>): Promise<T> {
  let settled = false;
  const done = promise.finally(() => {
    settled = true;
  });
  while (!settled) {
    await turns(2);
    of.log.sync();
  }
  return await done;
}

/** A world with one market, whose log waits before each sync. */
async function openHeldWorld(): Promise<World> {
  const held = await openWorld({ automatic: false, markets: false });
  const listing = {
    kind: 'listMarket',
    symbol: 'BTCUSDT',
    baseAsset: 'BTC',
    tick: { decimals: 1, step: 1 },
    lot: { decimals: 3, step: 1 },
    terms: worldTerms,
    status: 'TRADING',
  } as const;
  await synced(held, held.command(listing));
  return held;
}

test('an answer to a command leaves when its batch is durable, and reads wait for the state they saw', async () => {
  world = await openHeldWorld();
  const trader = await synced(world, world.newTrader());
  const seen: string[] = [];
  const note = (name: string) => (): void => {
    seen.push(name);
  };
  const leverage = { symbol: 'BTCUSDT', leverage: 7 };
  const set = world.call(trader, 'POST', '/fapi/v1/leverage', leverage);
  const setSeen = set.then(note('set'));
  await turns(10);
  // Applied, not durable: a read sees it, and its answer must wait.
  const read = world.call(trader, 'GET', '/fapi/v1/symbolConfig');
  const readSeen = read.then(note('read'));
  await turns(10);
  expect(seen).toEqual([]);
  world.log.sync();
  await Promise.all([setSeen, readSeen]);
  expect(seen).toEqual(['set', 'read']);
  expect((await read).body[0].leverage).toBe(7);
});

test('OPS-3 probes answer while the disk does not respond', async () => {
  world = await openHeldWorld();
  const trader = await synced(world, world.newTrader());
  const stuck = world.call(trader, 'POST', '/fapi/v1/leverage', {
    symbol: 'BTCUSDT',
    leverage: 7,
  });
  await turns(10);
  for (const path of ['/health', '/metrics']) {
    const { status } = await world.send('GET', path);
    expect([path, status]).toEqual([path, 200]);
  }
  world.log.sync();
  expect((await stuck).status).toBe(200);
});

test('-1003 a full queue refuses orders and still accepts cancels', async () => {
  const bounds = { orderLaneMax: 0, reserveLaneMax: 10, batchBytes: 1 << 20, tickMs: 1000 };
  world = await openWorld({ replica: { bounds } });
  const trader = await world.newTrader();
  const before = world.stateHash();
  const placed = await world.call(trader, 'POST', '/fapi/v1/order', order);
  expect(placed).toMatchObject({ status: 429, body: { code: -1003, msg: 'Too many requests.' } });
  expect(placed.headers['x-mbx-order-count-10s']).toBe('1');
  const batch = { batchOrders: [order] };
  expect((await world.call(trader, 'POST', '/fapi/v1/batchOrders', batch)).status).toBe(429);
  expect(world.stateHash()).toBe(before);
  const cancelled = await world.call(trader, 'DELETE', '/fapi/v1/allOpenOrders', {
    symbol: 'BTCUSDT',
  });
  expect(cancelled.status).toBe(200);
  expect((await world.call(trader, 'GET', '/fapi/v2/balance')).status).toBe(200);
});

test('-1003 a command whose deadline has passed is definitely not executed', async () => {
  world = await openHeldWorld();
  const trader = await synced(world, world.newTrader());
  const cancelAll = () =>
    world.call(trader, 'DELETE', '/fapi/v1/allOpenOrders', { symbol: 'BTCUSDT' });
  // Four batches are in flight: the next command waits for a sync, longer than its deadline.
  const others = [];
  for (let i = 0; i < 4; i += 1) {
    others.push(cancelAll());
    await turns(10);
  }
  const late = world.call(trader, 'POST', '/fapi/v1/leverage', { symbol: 'BTCUSDT', leverage: 3 });
  await turns(10);
  expect(world.replica.waiting()).toBe(1);
  world.clock.advance(5_001);
  const reply = await synced(world, late);
  expect(reply).toMatchObject({ status: 429, body: { code: -1003 } });
  for (const other of await Promise.all(others)) expect(other.status).toBe(200);
  const config = await world.call(trader, 'GET', '/fapi/v1/symbolConfig');
  expect(config.body[0].leverage).toBe(20);
});
