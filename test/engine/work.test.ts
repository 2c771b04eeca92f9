// ORD-14: what a command costs is counted in units, every attempt and what is taken back included,
// and bounded per weight. Goal: the count follows the work and nothing else. Method: books of a
// known size; sweeps, refusals, questions and cancels side by side.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch, testOrder } from '../../src/engine/apply.ts';
import type { Command, PlaceOrder } from '../../src/engine/command.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { timerWorkPerBatchMax } from '../../src/engine/limits.ts';
import { stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { schedule } from '../../src/engine/timers.ts';
import { unitsOfWork } from '../../src/engine/work.ts';
import type { MarketId, Time } from '../../src/units/units.ts';
import { orderCommand } from '../fixtures/orderCommands.ts';
import { play } from '../scenarios/scenario.ts';
import { createWorld } from '../scenarios/world.ts';

const market = 0 as MarketId;
const taker = 1;

/** So many asks of 0.001, `perLevel` at a price, from 60,000 up; accounts have 200 each. */
function bookOf(orders: number, perLevel: number): Exchange {
  const world = play(createWorld(), 'market BTCUSDT\ncredit taker 100000000\nindex 60000');
  const { exchange } = world;
  for (let i = 0; i < orders; i += 1) {
    if (i % 200 === 0) play(world, `credit maker${i} 1000000`);
    const account = exchange.accounts.length - 1;
    const ticks = 600_000 + Math.floor(i / perLevel);
    perform(exchange, orderCommand({ account, market, side: -1, lots: 1, ticks }));
  }
  return exchange;
}

function perform(exchange: Exchange, command: Command): number {
  expect(applyCommand(exchange, command, 0 as Time).kind).toBe('accepted');
  return unitsOfWork(exchange.work);
}

const bid = (lots: number, terms: Partial<PlaceOrder> = {}): PlaceOrder =>
  orderCommand({ account: taker, market, side: 1, lots, ticks: 620_000, ...terms });

test('ORD-14 a sweep costs in proportion to the orders that it meets, a resting order costs one unit', () => {
  const costs = [10, 100, 1000].map((lots) => perform(bookOf(1200, 10), bid(lots)));
  expect(costs[0]).toBeGreaterThanOrEqual(10);
  expect(costs[1]! / costs[0]!).toBeGreaterThan(7);
  expect(costs[2]! / costs[1]!).toBeGreaterThan(7);
  // A meeting, the end of the maker, and a part for reading.
  expect(costs[2]).toBeLessThan(2.5 * 1000);
  const exchange = bookOf(1, 1);
  expect(perform(exchange, bid(1, { ticks: 500_000 as PlaceOrder['ticks'] }))).toBe(1);
});

test('ORD-14 order/test costs its tentative execution and leaves nothing behind', () => {
  const exchange = bookOf(600, 10);
  const before = stateHash(exchange);
  const { outcome, work } = testOrder(exchange, bid(500));
  expect(outcome.kind).toBe('accepted');
  expect(work).toBeGreaterThan(900);
  expect(stateHash(exchange)).toBe(before);
  expect(perform(exchange, bid(500))).toBeLessThan(work);
});

test('ORD-14 each attempt of a repeated tentative execution is counted', () => {
  // The own resting order in the middle of the sweep gives its freeze back: the fills need another.
  const exchange = bookOf(300, 10);
  const alone = testOrder(exchange, bid(290, { timeInForce: 'IOC' })).work;
  const own = { account: taker, market, side: -1, lots: 5, ticks: 600_010 } as const;
  perform(exchange, orderCommand(own));
  const again = testOrder(exchange, bid(290, { timeInForce: 'IOC' })).work;
  expect(again).toBeGreaterThan(1.8 * alone);
});

test('ORD-14 ORD-2b a FOK too large for its levels costs those levels and not their orders', () => {
  const exchange = bookOf(4000, 100);
  const { sequence } = exchange;
  const fok = bid(4001, { timeInForce: 'FOK' });
  expect(perform(exchange, fok)).toBeLessThan(20);
  // Killed with its own row (ORD-2a), and nothing else has happened.
  expect(exchange.sequence).toBe(sequence + 1);
  const kinds = exchange.events.slice(-2).map(({ kind }) => kind);
  expect(kinds).toEqual(['orderPlaced', 'orderEnded']);
  expect(testOrder(exchange, fok).work).toBeLessThan(20);
  // Levels are added up only until there is enough.
  expect(testOrder(exchange, bid(100, { timeInForce: 'FOK' })).work).toBeGreaterThan(100);
});

test('ORD-14 a batch costs the sum of its items, and a mass cancel costs its orders', () => {
  const exchange = bookOf(200, 1);
  const account = (exchange.accounts.length - 1) as PlaceOrder['account'];
  const cancelAll = { kind: 'cancelAllOrders', account, market } as const;
  const cost = perform(exchange, cancelAll);
  expect(cost).toBeGreaterThanOrEqual(100);
  expect(cost).toBeLessThanOrEqual(250);
  const items = [1, 2, 3, 4, 5].map((lots) => {
    return bid(lots, { ticks: 590_000 as PlaceOrder['ticks'] });
  });
  expect(perform(exchange, { kind: 'batch', items })).toBe(5);
});

test('ORD-15 a batch runs a bounded number of timers, and the next continues where it stopped', () => {
  const world = play(createWorld(), 'market BTCUSDT\ncredit anna 100\nindex 60000');
  const { exchange } = world;
  const count = 5 * timerWorkPerBatchMax;
  const due = (exchange.time + 10_000) as Time;
  for (let i = 0; i < count; i += 1) {
    const id = 1_000_000 + i;
    exchange.nonces.set(`n${id}`, due);
    const owner = { account: 1 as PlaceOrder['account'], market };
    schedule(exchange, { time: due, id, kind: 'nonce', ...owner, nonce: `n${id}` });
  }
  const left: number[] = [];
  for (let i = 0; i < 4; i += 1) {
    beginBatch(exchange, due);
    left.push(exchange.nonces.size);
    const ids = [...exchange.nonces.keys()];
    // By number, so the last of them are left.
    expect(ids[0] ?? `n${1_000_000 + count}`).toBe(`n${1_000_000 + count - ids.length}`);
  }
  expect(left).toEqual([3, 1, 0, 0].map((part) => part * timerWorkPerBatchMax));
});

test('ORD-15 timers of markets do not wait behind timers of accounts', () => {
  const world = play(createWorld(), 'market BTCUSDT\ncredit anna 100\nindex 60000');
  const { exchange } = world;
  const { dues } = exchange.markets[0]!;
  const boundary = exchange.timers.byId.get(dues.fundingTimer)!.time;
  for (let i = 0; i < 5 * timerWorkPerBatchMax; i += 1) {
    const id = 1_000_000 + i;
    const time = (boundary - 1) as Time;
    exchange.nonces.set(`n${id}`, time);
    const owner = { account: 1 as PlaceOrder['account'], market };
    schedule(exchange, { time, id, kind: 'nonce', ...owner, nonce: `n${id}` });
  }
  beginBatch(exchange, boundary);
  expect(exchange.nonces.size).toBe(3 * timerWorkPerBatchMax);
  expect(dues.funding).toBe(boundary);
  expect(exchange.timers.byId.get(dues.fundingTimer)!.time).toBeGreaterThan(boundary);
});
