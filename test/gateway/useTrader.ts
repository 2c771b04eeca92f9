// The start of every test of a file: an exchange behind its gateway with one trader, whom no rate
// limit slows. Afterwards it must have no fault. A file calls `useTrader()` once; then its tests
// import `world` and `trader`.

import { afterEach, beforeEach, expect } from 'vitest';
import { openWorld, type Trader, type World } from './gatewayWorld.ts';

export let world: World;
export let trader: Trader;

export function useTrader(): void {
  beforeEach(async () => {
    world = await openWorld({ gateway: { rateLimitScale: 1000 } });
    trader = await world.newTrader();
  });

  afterEach(async () => {
    expect(world.faults).toEqual([]);
    await world.close();
  });
}

/** A resting sell order of another account, which the trader's buy orders can meet. */
export async function ask(price: string, quantity: string): Promise<void> {
  const maker = await world.newTrader();
  const order = { symbol: 'BTCUSDT', side: 'SELL', type: 'LIMIT', price, quantity };
  expect((await world.call(maker, 'POST', '/fapi/v1/order', order)).status).toBe(200);
}
