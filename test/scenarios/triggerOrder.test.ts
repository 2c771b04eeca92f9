// Many triggers at one tick: in which order they fire (FUND-3, TRG-1), and that they all do.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { generatedClientOrderId } from '../../src/engine/clientOrderId.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { firedPerTickMax, triggersPerAccountMax } from '../../src/engine/limits.ts';
import { isDue } from '../../src/engine/triggers/dueQueue.ts';
import type { MarketId, OrderId, Ticks, Time } from '../../src/units/units.ts';
import { play, scenario } from './scenario.ts';
import { triggerPlacement } from './triggerWords.ts';
import { createWorld, type World } from './world.ts';

const start = `
  market BTCUSDT
  credit anna 10000
  credit ben 1000000
  credit carl 10000
  index 60000
`;

/** Plays the lines and gives the client ids of what fired in them, in order. */
function firedBy(world: World, text: string): string {
  const before = world.events.length;
  const names = new Map<OrderId, string>();
  for (const { id, clientOrderId } of world.exchange.triggers.values()) {
    names.set(id, clientOrderId === '' ? generatedClientOrderId(id) : clientOrderId);
  }
  play(world, text);
  const events = world.events.slice(before);
  return events
    .flatMap((event) => (event.kind === 'triggerFired' ? [names.get(event.id)] : []))
    .join(' ');
}

test('FUND-3 TRG-1 the triggers of a gap fire by nearness to the mark before it, not by age', () => {
  const world = play(createWorld(), start);
  play(
    world,
    `
    ben buy 1 @ 57900
    anna trigger sell 0.01 STOP_MARKET stop 58500 id far
    anna trigger sell 0.01 STOP_MARKET stop 59500 id near
    carl trigger buy 0.01 TAKE_PROFIT_MARKET stop 59200 id target
    anna trigger sell 0.01 STOP_MARKET stop 59000 id middle
    carl trigger sell 0.01 STOP_MARKET stop 57999.9 id beyond
    `,
  );
  expect(firedBy(world, 'index 58000')).toBe('near target middle far');
  play(world, 'carl trigger beyond status NEW');
});

test('TRG-6 the second trigger of an account fires after the first of all others, and so on', () => {
  const world = play(createWorld(), start);
  play(
    world,
    `
    ben buy 1 @ 57900
    anna trigger sell 0.01 STOP_MARKET stop 59900 id a1
    anna trigger sell 0.01 STOP_MARKET stop 59800 id a2
    anna trigger sell 0.01 STOP_MARKET stop 59700 id a3
    carl trigger sell 0.01 STOP_MARKET stop 58100 id c1
    carl trigger sell 0.01 STOP_MARKET stop 58050 id c2
    ben trigger buy 0.01 TAKE_PROFIT_MARKET stop 58000 id b1
    `,
  );
  expect(firedBy(world, 'index 58000')).toBe('a1 c1 b1 a2 c2 a3');
});

test('FUND-3 TRG-4 TRG-4a a trailing trigger is ordered by the price that its callback gives', () => {
  const world = play(createWorld(), start);
  play(
    world,
    `
    ben buy 1 @ 57900
    anna trigger sell 0.01 TRAILING_STOP_MARKET callback 1 algo id trailing
    anna trigger sell 0.01 STOP_MARKET stop 59399.9 id behind
    anna trigger sell 0.01 STOP_MARKET stop 59400.1 id before
    anna trigger sell 0.01 STOP_MARKET stop 59400 id level
    `,
  );
  expect(firedBy(world, 'index 58000')).toBe('before trailing level behind');
});

test('FUND-3 TRG-1 rising and falling triggers of one tick are merged by nearness', () => {
  const world = play(createWorld(), start);
  play(
    world,
    `
    index 59800
    anna trigger buy 0.01 STOP_MARKET stop 59900 id rising
    change status HALT
    index 60200
    change status TRADING
    anna trigger sell 0.01 STOP_MARKET stop 60100 id falling
    `,
  );
  expect(firedBy(world, 'index 60000')).toBe('falling rising');
});

scenario(
  'FUND-3 TRG-1 at one price the older trigger comes first, of any account',
  `
  ${start}
  ben buy 0.1 @ 58950
  ben buy 0.1 @ 58900
  carl trigger sell 0.1 STOP_MARKET stop 59000 id c
  anna trigger sell 0.1 STOP_MARKET stop 59000 id a
  index 59000
  carl order c status FILLED paid 5895
  anna order a status FILLED paid 5890
  trades 0.1@58950 0.1@58900
  `,
);

test('FUND-3 TRG-1 markets of one tick fire one after the other, in the order of their symbols', () => {
  const world = play(
    createWorld(),
    `
    market BTCUSDT
    market AVAXUSDT maxLeverage 25 maintenanceMarginRate 0.02 markClamp 0.005
    credit anna 10000
    credit ben 100000
    index 60000
    index AVAXUSDT 20
    ben buy 10 AVAXUSDT @ 19
    ben buy 0.1 @ 58900
    anna trigger sell 0.1 STOP_MARKET stop 59000 id b
    anna trigger sell 10 AVAXUSDT STOP_MARKET stop 19.5 id a
    `,
  );
  const { exchange } = world;
  beginBatch(exchange, (exchange.time + 250) as Time);
  const prices = [590_000, 19_500].map((ticks, market) => ({
    market: market as MarketId,
    source: 'sim',
    ticks: ticks as Ticks,
    observedAt: exchange.time,
  }));
  applyCommand(exchange, { kind: 'indexTick', prices }, 0 as Time);
  play(world, 'after 1\ntrades AVAXUSDT 10@19');
  const fired = world.events.filter(({ kind }) => kind === 'triggerFired');
  expect(fired).toMatchObject([{ market: 1 }, { market: 0 }]);
});

test('TRG-6 ten thousand triggers at one price fire a thousand per tick, by number', () => {
  const accounts = 50;
  const world = play(createWorld(), start);
  const { exchange } = world;
  const expected: OrderId[] = [];
  for (let i = 0; i < accounts; i += 1) play(world, `credit account${i} 10000`);
  for (let round = 0; round < triggersPerAccountMax; round += 1) {
    for (let i = 0; i < accounts; i += 1) {
      const words = `sell 0.001 ${round % 2 === 0 ? 'STOP_MARKET' : 'STOP @ 58000'} stop 59000`;
      const command = triggerPlacement(world, `account${i}`, words.split(' '));
      const outcome = applyCommand(exchange, command, 0 as Time);
      expected.push(outcome.kind === 'accepted' ? outcome.trigger!.id : (0 as OrderId));
    }
  }
  expect(expected).toHaveLength(10_000);
  // Half of them find a buyer; the limits of the other half rest.
  play(world, 'ben buy 5 @ 58950');
  exchange.events = [];
  const perTick: number[] = [];
  const fired: OrderId[] = [];
  // The mark has come back, which takes nothing back.
  for (const index of [59_000, ...Array.from({ length: 10 }, () => 60_000)]) {
    const before = world.events.length;
    play(world, `after 250\nindex ${index}`);
    const events = world.events.slice(before);
    const ids = events.flatMap((event) => (event.kind === 'triggerFired' ? [event.id] : []));
    perTick.push(ids.length);
    fired.push(...ids);
  }
  expect(perTick).toEqual([...Array.from({ length: 10 }, () => firedPerTickMax), 0]);
  expect(fired).toEqual(expected);
  expect(isDue(exchange)).toBe(false);
  expect(exchange.markets[0]!.figures.tradeId).toBe(5000);
  expect(exchange.triggers.size).toBe(exchange.orders.size);
  expect(checkInvariants(exchange).failures).toEqual([]);
});
