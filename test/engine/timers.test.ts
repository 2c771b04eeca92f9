// ORD-13: replaced countdowns do not fill the state for ever. Goal: at the bound, stale timers give
// way with the next minute and live ones stay; until then, and full of live ones, a countdown is
// refused, at no cost. Method: a heap filled by hand.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { timersMax } from '../../src/engine/limits.ts';
import { dropStaleTimers } from '../../src/engine/timers.ts';
import type { AccountId, MarketId, Time } from '../../src/units/units.ts';
import { play } from '../scenarios/scenario.ts';
import { createWorld } from '../scenarios/world.ts';

const owner = { account: 1 as AccountId, market: 0 as MarketId };

function worldWithCountdown() {
  const world = play(
    createWorld(),
    'market BTCUSDT\ncredit alice 100\nindex 100000\nalice countdown 600000',
  );
  return world.exchange;
}

test('ORD-13 stale timers of a full heap give way as the next minute begins', () => {
  const exchange = worldWithCountdown();
  const { items } = exchange.timers;
  const [live] = items;
  while (items.length < timersMax) {
    const id = 1_000_000 + items.length;
    items.push({ time: live!.time, id, kind: 'countdown', ...owner, nonce: '' });
  }
  const command = { kind: 'setCountdown', ...owner, milliseconds: 30_000 } as const;
  expect(applyCommand(exchange, command, 0 as Time).kind).toBe('rejected');
  beginBatch(exchange, (exchange.time + 60_000) as Time);
  expect(applyCommand(exchange, command, 0 as Time).kind).toBe('accepted');
  // The market's funding, the countdown that was live, the one that took its place.
  expect(items.length).toBe(3);
  expect(items.some(({ id }) => id === exchange.accounts[1]!.positions[0]!.countdown)).toBe(true);
});

test('ORD-13 a countdown is refused when the heap is full of live timers', () => {
  const exchange = worldWithCountdown();
  const { items } = exchange.timers;
  while (items.length < timersMax) {
    const id = 1_000_000 + items.length;
    items.push({ time: items[0]!.time, id, kind: 'nonce', ...owner, nonce: `n${id}` });
  }
  const command = { kind: 'setCountdown', ...owner, milliseconds: 30_000 } as const;
  const outcome = applyCommand(exchange, command, 0 as Time);
  expect(outcome).toEqual({
    kind: 'rejected',
    rejection: { reason: 'capacityReached', limit: 'timers' },
  });
  // The shortest is refused too; to remove the one that waits needs no room.
  const shortest = applyCommand(exchange, { ...command, milliseconds: 1 }, 0 as Time);
  expect(shortest.kind).toBe('rejected');
  const removed = applyCommand(exchange, { ...command, milliseconds: 0 }, 0 as Time);
  expect(removed.kind).toBe('accepted');
  expect(exchange.accounts[1]!.positions[0]!.countdown).toBe(0);
});

test('ORD-13 OPS-2 TRG-5 AUTH-5 whatever kind a live timer is of, it stays, and comes in its turn', () => {
  const world = play(
    createWorld(),
    `
    market BTCUSDT
    credit anna 10000
    credit ben 10000
    index 60000
    anna buy 0.1 @ 60000
    ben sell 0.1 @ 60000
    anna trigger buy 0.1 STOP_MARKET stop 61000 gtd 600000 id a
    anna trigger buy 0.1 STOP_MARKET stop 61000 gtd 600000 id b
    anna countdown 500000
    login cleo expires 700000
    change maintenanceMarginRate 0.015
    change status CLOSE deliveryTime 1760004000000
    `,
  );
  const { exchange } = world;
  const { items } = exchange.timers;
  const inTurn = [...items].sort((a, b) => a.time - b.time || a.id - b.id);
  const kinds = 'countdown goodTill goodTill nonce delivery funding maintenance';
  expect(inTurn.map(({ kind }) => kind).join(' ')).toBe(kinds);
  // Every one of them has a stale twin, and others fill the heap: all of it in no order.
  const replaced = inTurn.filter(({ kind }) => kind !== 'nonce');
  items.reverse();
  for (let id = 1_000_000; items.length < timersMax; id += 1) {
    items.push({ ...replaced[id % replaced.length]!, id });
  }
  // Within the minute, which ends 40 s after the beginning, nothing is dropped.
  dropStaleTimers(exchange, 1_760_000_039_999 as Time);
  expect(items.length).toBe(timersMax);
  dropStaleTimers(exchange, 1_760_000_040_000 as Time);
  expect(items).toEqual(inTurn);
  // One below the bound nothing is stale enough.
  const [stale] = inTurn;
  while (items.length < timersMax - 1) items.push({ ...stale!, id: 1_000_000 + items.length });
  dropStaleTimers(exchange, 1_760_000_040_000 as Time);
  expect(items.length).toBe(timersMax - 1);
});
