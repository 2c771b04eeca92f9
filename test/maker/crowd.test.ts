// The demo's crowd beside the market maker on a real exchange under virtual time, and what it
// decides.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import { marketBySymbol } from '../../src/engine/views/exchange.ts';
import { stateOf } from '../../src/engine/views/stateOf.ts';
import { createCrowd, demoCrowd } from '../../src/maker/crowd.ts';
import { type CrowdView, crowdAct } from '../../src/maker/crowdAct.ts';
import { createMakerClient, type MakerClient } from '../../src/maker/makerClient.ts';
import {
  createMarketMaker,
  demoCountdownMs,
  demoLadder,
  demoRefreshMs,
  houseMakerLimits,
} from '../../src/maker/marketMaker.ts';
import { directValues } from '../../src/std/directMap.ts';
import { createPrng } from '../../src/std/prng.ts';
import type { Scheduler } from '../../src/std/scheduler.ts';
import type { Lots, Money, Ticks } from '../../src/units/units.ts';
import { openWorld, type Trader, type World } from '../gateway/gatewayWorld.ts';
import { fetchOver } from './fetchOver.ts';

let world: World;
/** Requests of maker and crowd together. */
let asked = 0;
beforeEach(async () => {
  asked = 0;
  world = await openWorld();
});
afterEach(async () => {
  expect(world.faults).toEqual([]);
  await world.close();
});

/** The trader's own client signs, so the signature of the maker's client is not checked. */
const clientOf = (trader: Trader): MakerClient =>
  createMakerClient({
    baseUrl: 'http://exchange',
    apiKey: 'key',
    secretKey: 'secret',
    clock: world.clock,
    fetch: fetchOver(async (method, path, parameters) => {
      asked += 1;
      const texts = Object.entries(parameters).map(([name, value]) => [
        name,
        method === 'DELETE' && typeof value !== 'string' ? JSON.stringify(value) : value,
      ]);
      return world.call(trader, method, path, Object.fromEntries(texts));
    }),
  });

/** A demo whose seconds the test counts: every loop runs in them at its own rate. */
async function openDemo(seed = 1) {
  const maker = await world.newTrader(10_000_000, 'house');
  const { address } = maker;
  await world.command({ kind: 'flagAccount', address, house: true, feeTier: undefined });
  const members: Trader[] = [];
  for (let member = 0; member < 4; member += 1) members.push(await world.newTrader(2_000_000));
  let waiting: { readonly at: number; readonly task: () => void }[] = [];
  const scheduler: Scheduler = {
    after: (ms, task) => {
      waiting.push({ at: world.clock.now() + ms, task });
      return () => {};
    },
  };
  const reports: string[] = [];
  const common = { clock: world.clock, scheduler, report: (text: string) => reports.push(text) };
  const loops = [
    createMarketMaker({
      ...common,
      client: clientOf(maker),
      limits: houseMakerLimits,
      ladder: demoLadder,
      refreshMs: demoRefreshMs,
      countdownMs: demoCountdownMs,
    }),
    createCrowd({ ...common, clients: members.map(clientOf), seed, parameters: demoCrowd }),
  ];
  const settled = async (): Promise<void> => {
    while (waiting.length < loops.length) await new Promise((resolve) => setImmediate(resolve));
  };
  const prng = createPrng(seed);
  let ticks = 600_000;
  const beats = async (count: number): Promise<void> => {
    for (let beat = 0; beat < count; beat += 1) {
      await settled();
      world.clock.advance(999);
      ticks += prng.below(101) - 50;
      await world.price(ticks);
      const now = world.clock.now();
      const due = waiting.filter(({ at }) => at <= now);
      waiting = waiting.filter(({ at }) => at > now);
      for (const { task } of due) task();
    }
    await settled();
  };
  await world.price(ticks);
  for (const loop of loops) loop.start();
  return {
    members,
    reports,
    beats,
    /** The next boundary comes, at the present price. */
    pass: async (milliseconds: number) => {
      world.clock.advance(milliseconds);
      await world.price(ticks);
    },
    close: async () => {
      await settled();
      for (const loop of loops) await loop.stop();
    },
  };
}

const marketOf = (symbol: string) => {
  return marketBySymbol(world.replica.exchange, symbol)!;
};

/** The rate of FUND-1 as it would be settled now, a fraction. */
const rateOf = (symbol: string): number => {
  const { longs, shorts } = sidesOf(symbol);
  return (0.01 * (longs - shorts)) / (longs + shorts);
};

function sidesOf(symbol: string): { longs: number; shorts: number } {
  const market = marketOf(symbol).id;
  const sides = { longs: 0, shorts: 0 };
  for (const { house, positions } of liveAccounts(stateOf.exchange(world.replica.exchange))) {
    const lots = house ? 0 : (positions[market]?.lots ?? 0);
    sides.longs += Math.max(0, lots);
    sides.shorts += Math.max(0, -lots);
  }
  return sides;
}

const buy = (trader: Trader, quantity: string, side = 'BUY') =>
  world.call(trader, 'POST', '/fapi/v1/order', {
    symbol: 'BTCUSDT',
    side,
    type: 'MARKET',
    quantity,
  });

test('FUND-1 the demo charges a single trader on either side no extreme funding', async () => {
  const demo = await openDemo();
  const visitor = await world.newTrader(100_000);
  await demo.beats(60);
  for (const side of ['BUY', 'SELL'] as const) {
    expect((await buy(visitor, '0.5', side)).body).toMatchObject({ status: 'FILLED' });
    // At once, before the crowd has seen it, the open interest of the crowd keeps the rate small.
    expect(Math.abs(rateOf('BTCUSDT'))).toBeLessThanOrEqual(0.0005);
    await demo.beats(15);
    expect(Math.abs(rateOf('BTCUSDT'))).toBeLessThanOrEqual(0.0002);
    const before = Number((await world.call(visitor, 'GET', '/fapi/v2/balance')).body[0].balance);
    // Three boundaries; between them everybody rests.
    for (let boundary = 0; boundary < 3; boundary += 1) await demo.pass(8 * 3_600_000);
    await demo.beats(5);
    const after = Number((await world.call(visitor, 'GET', '/fapi/v2/balance')).body[0].balance);
    expect(before - after).toBeLessThanOrEqual(3 * 0.0002 * 30_000);
    expect((await buy(visitor, '0.5', side === 'BUY' ? 'SELL' : 'BUY')).status).toBe(200);
    await demo.beats(15);
  }
  await demo.close();
  expect(demo.reports.join('\n')).toBe('');
});

test('maker and crowd send few requests, so that a demo can keep running', async () => {
  const demo = await openDemo();
  await demo.beats(60);
  const before = asked;
  await demo.beats(60);
  expect((asked - before) / 60).toBeLessThanOrEqual(8);
  await demo.close();
});

test('trades of all sizes in every market, within bounds of orders and positions', async () => {
  const demo = await openDemo(7);
  await demo.beats(60);
  for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
    const before = marketOf(symbol).figures.tradeId;
    await demo.beats(60);
    // One in two or three seconds; taking may meet several makers.
    expect(marketOf(symbol).figures.tradeId - before).toBeGreaterThan(15);
    const { longs, shorts } = sidesOf(symbol);
    expect(Math.abs(longs - shorts)).toBeLessThanOrEqual(0.02 * (longs + shorts));
    expect(longs).toBeGreaterThan(5000);
    const trades = (await world.send('GET', '/fapi/v1/trades', { query: `symbol=${symbol}` })).body;
    expect(new Set(trades.map(({ qty }: { qty: string }) => qty)).size).toBeGreaterThan(10);
    const depth = (await world.send('GET', '/fapi/v1/depth', { query: `symbol=${symbol}` })).body;
    expect(depth.bids.length).toBeGreaterThanOrEqual(20);
    expect(depth.asks.length).toBeGreaterThanOrEqual(20);
  }
  // The exchange cancels its resting orders when it goes.
  const members = new Set(demo.members.map(({ account }) => account));
  const resting = () =>
    directValues(stateOf.exchange(world.replica.exchange).orders).filter(({ account }) =>
      members.has(account),
    );
  expect(resting().length).toBeLessThan(20);
  await demo.close();
  await demo.pass(30_000);
  expect(resting()).toEqual([]);
  expect(demo.reports.join('\n')).toBe('');
});

describe('a member of the crowd', () => {
  const grid = { decimals: 1, step: 1 };
  const view = (more: Partial<CrowdView>): CrowdView => ({
    market: {
      symbol: 'BTCUSDT',
      tick: grid,
      lot: { decimals: 3, step: 1 },
      grain: 100,
      notionalMin: 5_000_000 as Money,
      trading: true,
      resting: true,
    },
    index: 600_000 as Ticks,
    longs: 10_000 as Lots,
    shorts: 10_000 as Lots,
    positions: [5000, -5000, 5000, -5000] as Lots[],
    parameters: demoCrowd,
    ...more,
  });

  test('the same seed gives the same crowd', () => {
    const draw = (seed: number) => {
      const prng = createPrng(seed);
      return Array.from({ length: 50 }, () => crowdAct(view({}), prng));
    };
    expect(draw(3)).toEqual(draw(3));
    expect(draw(3)).not.toEqual(draw(4));
  });

  test('one-sided open interest attracts the side that receives funding', () => {
    const long = crowdAct(view({ longs: 10_500 as Lots }), createPrng(1));
    expect(long).toMatchObject({
      kind: 'take',
      quote: { side: 'SELL', lots: 333, ticks: 599_400 },
    });
    const short = crowdAct(view({ shorts: 10_250 as Lots }), createPrng(1));
    expect(short).toMatchObject({ kind: 'take', quote: { side: 'BUY', lots: 250 } });
  });

  test('members without positions open them against each other, one at a time', () => {
    const positions = [0, 0, 0, 0] as Lots[];
    expect(crowdAct(view({ positions }), createPrng(1))).toEqual({
      kind: 'pair',
      member: 0,
      taker: 1,
      quote: { side: 'BUY', ticks: 600_000, lots: 500 },
    });
  });

  test('a member with a position far from its target only trades back', () => {
    const positions = [8000, -8000, 8000, -8000] as Lots[];
    const prng = createPrng(5);
    for (let draw = 0; draw < 200; draw += 1) {
      const act = crowdAct(view({ positions }), prng)!;
      expect(act.quote.side).toBe(act.member % 2 === 0 ? 'SELL' : 'BUY');
    }
  });
});
