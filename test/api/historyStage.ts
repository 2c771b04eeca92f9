// A stage for tests of the past: two traders whose trades a test makes one by one, history in a
// given database, and memory that forgets when the test says so.

import { expect } from 'vitest';
import { type RowRing, rowsInOrder } from '../../src/market-data/rowRing.ts';
import type { Views } from '../../src/market-data/views.ts';
import { dropOldest } from '../../src/std/numberRing.ts';
import type { TestDatabase } from '../fixtures/eachDatabase.ts';
import type { Trader } from '../gateway/gatewayWorld.ts';
import { type MarketDataWorld, openMarketDataWorld } from './marketDataWorld.ts';

export const symbol = 'BTCUSDT';
export const day = 86_400_000;

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of answers.
export type Body = any;

export type HistoryStage = MarketDataWorld & {
  /** The body of a success; the default symbol is used unless another or none is given. */
  readonly ask: (trader: Trader, path: string, parameters?: object) => Promise<Body>;
  /** Status and code of a refusal. */
  readonly refused: (
    trader: Trader,
    path: string,
    parameters?: object,
    method?: string,
  ) => Promise<readonly [number, number]>;
  readonly place: (trader: Trader, order?: object, route?: string) => Promise<Body>;
  /** From now on the views hold nothing that has ended. */
  readonly forgetEnded: () => void;
  /** The other views are full, and each has forgotten its oldest row. */
  readonly fillViews: () => void;
};

/** Runs a test on its own stage, which must have no fault at its end. */
export async function onStage(
  where: TestDatabase,
  tell: (stage: HistoryStage) => Promise<void>,
): Promise<void> {
  const open = await openMarketDataWorld({ where });
  const { world } = open;
  const call = (trader: Trader, path: string, parameters: object, method = 'GET') =>
    world.call(trader, method, `/fapi/v1/${path}`, { symbol, ...parameters });
  const { views } = world.replica;
  await tell({
    ...open,
    ask: async (trader, path, parameters = {}) => {
      const reply = await call(trader, path, parameters);
      expect(reply.status, reply.text).toBe(200);
      return reply.body;
    },
    refused: async (trader, path, parameters = {}, method = 'GET') => {
      const { status, body } = await call(trader, path, parameters, method);
      return [status, body.code];
    },
    place: async (trader, order = {}, route = 'order') => {
      const resting = { side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' };
      const reply = await call(trader, route, { ...resting, ...order }, 'POST');
      expect(reply.status, reply.text).toBe(200);
      return reply.body;
    },
    forgetEnded: () => forget(views),
    fillViews: () => fill(views),
  });
  expect(world.faults).toEqual([]);
  await open.close();
}

function forget({ endedOrders, endedTriggers }: Views): void {
  for (const rows of [endedOrders, endedTriggers]) {
    Object.assign(rows, { ring: [], oldest: 0, size: 0, index: undefined });
  }
}

/** The bounds have been reached: the oldest row of each list was dropped. */
function fill(views: Views): void {
  const { forceOrders, deleveragings, withdrawals, settledFunding } = views;
  for (const rows of [forceOrders, deleveragings, withdrawals, settledFunding]) {
    const ring = [...rowsInOrder(rows as RowRing<unknown, never>)].slice(1);
    const full = { oldest: 0, size: ring.length, max: ring.length };
    Object.assign(rows, { ring, ...full, index: undefined });
  }
  for (const { recent, candles } of views.markets) {
    const buckets = Object.values(candles).flatMap(({ rings }) => rings);
    for (const ring of [recent.trades, recent.aggregates, ...buckets]) {
      if (ring.size > 1) dropOldest(ring);
      Object.assign(ring, { max: ring.size });
    }
  }
}
