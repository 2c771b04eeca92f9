// The ids of triggers and of the orders that they place (ID-1, ID-2, ID-3), and what clients see of
// them.

import { expect, test } from 'vitest';
import { clientOrderIdOf } from '../../src/engine/clientOrderId.ts';
import { findOrder } from '../../src/engine/findOrder.ts';
import { findTrigger } from '../../src/engine/findTrigger.ts';
import { directGet } from '../../src/std/directMap.ts';
import { play, scenario } from './scenario.ts';
import { triggerOf } from './triggerWords.ts';
import { accountOf, createWorld } from './world.ts';

const start = `
  market BTCUSDT
  market ETHUSDT
  credit anna 10000
  credit ben 100000
  index 60000
  index ETHUSDT 3000
`;

scenario(
  'ID-2 ID-2b clientOrderIdDuplicate: orders and triggers of an account share their client ids',
  `
  ${start}
  anna trigger buy 0.1 STOP_MARKET stop 61000 id x
  anna trigger buy 0.1 STOP_MARKET stop 61000 algo id y
  anna trigger buy 0.1 STOP_MARKET stop 61000 id x -> clientOrderIdDuplicate
  anna trigger buy 0.1 STOP_MARKET stop 61000 algo id x -> clientOrderIdDuplicate
  anna buy 0.1 @ 59000 id x -> clientOrderIdDuplicate
  anna buy 0.1 @ 59000 id y -> clientOrderIdDuplicate
  anna buy 0.1 @ 59000 id z
  anna trigger buy 0.1 STOP_MARKET stop 61000 id z -> clientOrderIdDuplicate
  ben trigger buy 0.1 STOP_MARKET stop 61000 id x -> NEW
  # Both routes hold the id until the order that came of the trigger has ended.
  anna trigger buy 0.1 TAKE_PROFIT stop 58500 @ 50000 id o
  anna trigger buy 0.1 TAKE_PROFIT stop 58500 @ 50000 algo id p
  index 58500
  anna buy 0.1 @ 50000 id o -> clientOrderIdDuplicate
  anna buy 0.1 @ 50000 id p -> clientOrderIdDuplicate
  anna modify o 0.2 @ 50000 -> NEW
  anna order o quantity 0.2
  anna buy 0.1 @ 50000 id o -> clientOrderIdDuplicate
  anna cancelAll
  anna buy 0.1 @ 50000 id o -> NEW
  anna buy 0.1 @ 50000 id p -> NEW
  `,
);

test('ID-2 a trigger without a client id has a derived one, which is in use while it waits', () => {
  const world = play(createWorld(), start);
  play(world, 'anna trigger buy 0.1 STOP_MARKET stop 61000');
  const [trigger] = world.exchange.triggers.values();
  const derived = clientOrderIdOf(trigger!);
  play(
    world,
    `
    anna buy 0.1 @ 59000 id ${derived} -> clientOrderIdDuplicate
    anna trigger buy 0.1 STOP_MARKET stop 61000 id ${derived} -> clientOrderIdDuplicate
    ben buy 0.1 @ 59000 id ${derived} -> NEW
    anna cancel ${derived} -> CANCELED
    anna buy 0.1 @ 59000 id ${derived} -> NEW
    `,
  );
});

test('ID-1 TRG-1 an order has the id of its trigger on the order route, and its own on the algo route', () => {
  const world = play(createWorld(), start);
  play(
    world,
    `
    anna trigger buy 0.1 TAKE_PROFIT stop 59000 @ 50000 id kept
    anna trigger buy 0.1 TAKE_PROFIT stop 59000 @ 50000 algo id other
    anna buy 0.1 @ 50000 id between
    after 1000
    index 59000
    `,
  );
  const { exchange } = world;
  const account = accountOf(world, 'anna');
  const kept = triggerOf(world, 'anna', 'kept');
  const order = findOrder(exchange, account, { clientOrderId: 'kept' })!;
  expect(order).toMatchObject({ id: kept.id, createdAt: kept.createdAt, clientOrderId: 'kept' });
  expect(order.trigger).toBe(kept);
  // It is the newest by priority though not by number.
  const between = findOrder(exchange, account, { clientOrderId: 'between' })!;
  expect(order.id).toBeLessThan(between.id);
  expect(order.priority).toBeGreaterThan(between.priority);
  const other = triggerOf(world, 'anna', 'other');
  expect(findOrder(exchange, account, { clientOrderId: 'other' })).toBeUndefined();
  const derived = directGet(exchange.orders, other.order)!;
  expect(derived).toMatchObject({ clientOrderId: '', createdAt: exchange.time });
  expect(derived.id).toBeGreaterThan(other.id);
  expect(derived.id).toBe(derived.priority);
  // Both ways lead to the triggers, and only for their owner.
  const { id, createdAt } = other;
  expect(findTrigger(exchange, account, { id, createdAt })).toBe(other);
  expect(
    findTrigger(exchange, account, { id, createdAt: (createdAt + 1) as typeof createdAt }),
  ).toBe(undefined);
  expect(findTrigger(exchange, account, { clientOrderId: 'other' })).toBe(other);
  expect(findTrigger(exchange, account, { clientOrderId: 'other' }, 1 as typeof other.market)).toBe(
    undefined,
  );
  expect(findTrigger(exchange, accountOf(world, 'ben'), { id, createdAt })).toBe(undefined);
});

test('ID-1 TRG-1a a failing trigger draws no number: the next order has it', () => {
  const world = play(createWorld(), `${start}\nanna trigger buy 10 STOP_MARKET stop 61000 id s`);
  const { sequence } = world.exchange;
  play(world, 'ben sell 10 @ 61000\nindex 61000\nanna trigger s status FAILED');
  play(world, 'anna buy 0.1 @ 59000 id next');
  const order = findOrder(world.exchange, accountOf(world, 'anna'), { clientOrderId: 'next' });
  // Ben's order comes before it.
  expect(order!.id).toBe(sequence + 2);
});

test('TRG-1 the events of a trigger are: placed, fired before its order, ended after it', () => {
  const world = play(createWorld(), start);
  play(
    world,
    `
    ben buy 0.1 @ 58900
    anna trigger sell 0.1 STOP_MARKET stop 59000 algo id s
    index 59000
    `,
  );
  const kinds = world.events.map(({ kind }) => kind);
  const from = kinds.indexOf('triggerPlaced');
  expect(kinds.slice(from)).toEqual([
    'triggerPlaced',
    'priced',
    'triggerFired',
    'orderPlaced',
    'traded',
    'orderEnded',
    'orderEnded',
    'triggerEnded',
  ]);
});

scenario(
  'ID-3 a repeated request with a known key returns the first trigger',
  `
  ${start}
  anna trigger buy 0.1 STOP_MARKET stop 61000 key k request r id x -> NEW
  anna trigger buy 0.1 STOP_MARKET stop 61000 key k request r id x -> repeated
  anna trigger buy 0.2 STOP_MARKET stop 61000 key k request s -> idempotencyConflict
  anna buy 0.1 @ 59000 key k request q -> idempotencyConflict
  anna triggers x
  # What is rejected is not remembered.
  anna trigger buy 0.1 STOP_MARKET stop 60000 key l request r -> wouldTrigger
  anna trigger buy 0.1 STOP_MARKET stop 60500 key l request s -> NEW
  `,
);

scenario(
  'TRG-1 ORD-10 order/test of a trigger runs every check and leaves nothing behind',
  `
  ${start}
  anna test trigger buy 0.1 STOP_MARKET stop 61000 key k request r gtd 600000 id x -> NEW
  anna test trigger buy 0.1 STOP_MARKET stop 60000 -> wouldTrigger
  anna triggers
  anna trigger buy 0.1 STOP_MARKET stop 61000 key k request s id x -> NEW
  `,
);
