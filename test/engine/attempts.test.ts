// Goal: an incoming order is tried once where no guard, cap or self-trade stops a fill, for what it
// freezes before its first fill is then what its fills need (ORD-10, MAR-1); and every change of a
// book has its number. Method: the count of trials, and the book's number, before and after a step.

import { expect, test } from 'vitest';
import { play } from '../scenarios/scenario.ts';
import { createWorld } from '../scenarios/world.ts';

/** Anna long 0.15; 0.1 and 0.2 are bid below the mark and asked above it. */
const start = `
  market BTCUSDT
  credit anna 100000
  credit ben 100000
  index 60000
  anna buy 0.15 @ 60000
  ben sell 0.15 @ 60000
  ben buy 0.1 @ 59990
  ben buy 0.2 @ 59980
  ben sell 0.1 @ 60010
  ben sell 0.2 @ 60020
`;

const once = [
  // Opens at one level, at two, whole or with a rest that stays or goes.
  'anna buy 0.05 @ 60010 -> FILLED',
  'anna buy 0.001 @ 60030 -> FILLED',
  'anna buy 0.1 @ 60010 -> FILLED',
  'anna buy 0.25 @ 60030 -> FILLED',
  'anna buy 0.3 @ 60030 IOC -> FILLED',
  'anna buy 0.25 @ 60010 -> PARTIALLY_FILLED',
  'anna buy 0.5 @ 60030 -> PARTIALLY_FILLED',
  'anna buy 0.5 @ 60030 IOC -> CANCELED IOC',
  'anna buy 0.25 market -> FILLED',
  'anna buy 0.5 market -> CANCELED MARKET',
  // Covered, in whole or to the middle of the second level, with a rest, and by more than it fills.
  'anna sell 0.05 @ 59990 -> FILLED',
  'anna sell 0.15 @ 59980 -> FILLED',
  'anna sell 0.25 @ 59980 -> FILLED',
  'anna sell 0.25 market -> FILLED',
  'anna sell 0.12 @ 59990 -> PARTIALLY_FILLED',
  'anna sell 0.4 @ 59990 -> PARTIALLY_FILLED',
  'anna sell 0.4 @ 59980 IOC -> CANCELED IOC',
  'anna sell 0.15 @ 59980 reduceOnly -> FILLED',
  'anna sell 0.15 market reduceOnly -> FILLED',
];

test.each(once)('ORD-10 MAR-1 one tentative execution is enough: %s', (step) => {
  const world = play(createWorld(), start);
  const { undo } = world.exchange;
  const before = undo.epoch;
  play(world, step);
  expect(undo.epoch).toBe(before + 1);
});

test('ORD-10 MAR-1 a self-trade that reduces the fills needs a second tentative execution', () => {
  const world = play(createWorld(), `${start}\nanna sell 0.1 @ 60005`);
  const { undo } = world.exchange;
  const before = undo.epoch;
  play(world, 'anna buy 0.2 @ 60010 IOC -> CANCELED IOC');
  expect(undo.epoch).toBe(before + 2);
});

test('ORD-10 a tentative execution of two hundred orders is undone exactly, twice, and then committed', () => {
  const world = play(createWorld(), 'market BTCUSDT\ncredit anna 100000\nindex 60000');
  for (let maker = 0; maker < 10; maker += 1) {
    play(world, `credit m${maker} 10000`);
    play(world, `m${maker} sell 0.001 @ 60000\n`.repeat(20));
  }
  // After an order/test the state's hash is the same (scenario.ts).
  play(world, 'anna test buy 0.2 @ 60000');
  // Each maker's order is saved, and its copy stays for the next trial.
  const { orders } = world.exchange.undo;
  expect([orders.records.length, orders.copies.length]).toEqual([0, 201]);
  play(world, 'anna test buy 0.2 @ 60000');
  play(world, 'anna buy 0.2 @ 60000 -> FILLED\nanna has position 0.2\nm9 has position -0.02');
  expect(orders.copies.length).toBe(201);
});

/** Steps, and how many changes of the book they are: each order that comes or goes, each match. */
const changes: readonly (readonly [step: string, changes: number])[] = [
  ['anna buy 0.1 @ 59000', 1],
  ['anna buy 0.001 @ 60010', 1],
  ['anna buy 0.1 @ 60010', 2],
  ['anna buy 0.2 @ 60010', 3],
  ['anna buy 0.1 @ 59000 IOC', 0],
  ['ben buy 0.1 @ 60010 IOC', 1],
  ['ben cancel far', 1],
  ['ben modify far 0.2 @ 58100', 2],
  ['ben modify far 0.2 @ 57900', 2],
];

test.each(changes)('every change of the book has its own number: %s', (step, count) => {
  const world = play(createWorld(), `${start}\nben buy 0.1 @ 58000 id far`);
  const { book } = world.exchange.markets[0]!;
  const before = book.updateId;
  play(world, step);
  expect(book.updateId).toBe(before + count);
});
