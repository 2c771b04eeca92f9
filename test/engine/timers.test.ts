// Timers and their room (ORD-13, TRG-5a). Goal: none of them is dead, whatever replaces or ends
// what it was set for; what one kind takes is never missing to another; they come by time, then
// number.

import { expect, test } from 'vitest';
import { applyCommand } from '../../src/engine/apply.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { countdownsIdleMax, countdownsMax, goodTillTimersMax } from '../../src/engine/limits.ts';
import { cancelTimer, createTimers, schedule, takeDueTimer } from '../../src/engine/timers.ts';
import { createPrng } from '../../src/std/prng.ts';
import type { AccountId, MarketId, Time } from '../../src/units/units.ts';
import { play } from '../scenarios/scenario.ts';
import { createWorld, type World } from '../scenarios/world.ts';

const owner = { account: 1 as AccountId, market: 0 as MarketId };
const start = 'market BTCUSDT\ncredit anna 1000\ncredit ben 9\nindex 60000';
const kindsOf = ({ exchange }: World): string =>
  exchange.timers.items
    .map(({ kind }) => kind)
    .sort()
    .join(' ');

test('ORD-13 a countdown that is replaced or removed leaves no timer behind', () => {
  const world = play(createWorld(), start);
  for (let round = 0; round < 1000; round += 1) {
    applyCommand(
      world.exchange,
      { kind: 'setCountdown', ...owner, milliseconds: 60_000 },
      0 as Time,
    );
  }
  expect(kindsOf(world)).toBe('countdown funding');
  play(world, 'anna countdown 0');
  expect(kindsOf(world)).toBe('funding');
});

test('TRG-5 the timer of a good-till-date ends with its trigger, in whatever way that ends', () => {
  const world = play(
    createWorld(),
    `
    ${start}
    anna trigger buy 0.01 STOP_MARKET stop 61000 gtd 600000 id a
    anna trigger buy 0.01 STOP stop 61000 @ 60000 gtd 600000 id b
    anna trigger buy 0.01 STOP_MARKET stop 62000 gtd 600000 id c
    `,
  );
  expect(kindsOf(world)).toBe('funding goodTill goodTill goodTill');
  play(world, 'anna cancelTrigger a');
  expect(kindsOf(world)).toBe('funding goodTill goodTill');
  // The order of the second one rests: its date still counts.
  play(world, 'index 61000\nanna trigger b status TRIGGERED');
  expect(kindsOf(world)).toBe('funding goodTill goodTill');
  play(world, 'anna cancel b\nanna trigger b status FINISHED');
  expect(kindsOf(world)).toBe('funding goodTill');
  play(world, 'index 62000\nanna trigger c status FINISHED');
  expect(kindsOf(world)).toBe('funding');
});

test('OPS-2 a raised maintenance rate that is withdrawn leaves no timer behind', () => {
  const world = play(
    createWorld(),
    `
    ${start}
    credit cleo 1000
    anna buy 0.01 @ 60000
    cleo sell 0.01 @ 60000
    change maintenanceMarginRate 0.011
    change maintenanceMarginRate 0.012
    `,
  );
  expect(kindsOf(world)).toBe('funding maintenance');
  play(world, 'change maintenanceMarginRate 0.01');
  expect(kindsOf(world)).toBe('funding');
});

test('ORD-13b TRG-5a capacityReached: no kind of timer takes the room of another', () => {
  const world = play(createWorld(), start);
  const { exchange } = world;
  const { counts } = exchange.timers;
  const milliseconds = 60_000;
  const set = (account: number) =>
    applyCommand(
      exchange,
      { kind: 'setCountdown', ...owner, account: account as AccountId, milliseconds },
      0 as Time,
    );
  const full = {
    kind: 'rejected',
    rejection: { reason: 'capacityReached', limit: 'countdowns' },
  };
  // All dates are taken by others, and a countdown is possible all the same.
  counts.goodTill = goodTillTimersMax;
  expect(set(1).kind).toBe('accepted');
  // The room for accounts with nothing to cancel is full: an account with an order still gets its
  // timer.
  play({ ...world, exchange: unfilled(exchange) }, 'anna countdown 0\nben buy 0.001 @ 59000 id x');
  counts.countdown = countdownsIdleMax;
  expect(set(1)).toEqual(full);
  expect(set(2).kind).toBe('accepted');
  // A running one can be replaced even when the room is full.
  counts.countdown = countdownsMax;
  expect(set(2).kind).toBe('accepted');
  expect(set(1)).toEqual(full);
});

/** Counts what there is, so that the checks after a step hold again. */
function unfilled(exchange: Exchange): Exchange {
  const { counts, items } = exchange.timers;
  counts.goodTill = items.filter(({ kind }) => kind === 'goodTill').length;
  return exchange;
}

test('ORD-13 timers come by time, then by number, also after removals', () => {
  const prng = createPrng(7);
  const exchange = { timers: createTimers() } as Exchange;
  const { items, byId } = exchange.timers;
  const waiting = new Map<number, number>();
  for (let id = 1; id < 3000; id += 1) {
    const time = prng.below(500) as Time;
    schedule(exchange, { time, id, kind: 'nonce', ...owner, nonce: `n${id}` });
    waiting.set(id, time);
    if (prng.below(3) > 0) continue;
    const [ended] = [...waiting.keys()].slice(prng.below(waiting.size));
    waiting.delete(ended!);
    cancelTimer(exchange, ended!);
  }
  cancelTimer(exchange, 999_999);
  const due = [...waiting].sort(([a, at], [b, bt]) => at - bt || a - b).map(([id]) => id);
  const run: number[] = [];
  for (let time = 0; time < 500; time += 7) {
    let timer = takeDueTimer(exchange, time as Time);
    for (; timer !== undefined; timer = takeDueTimer(exchange, time as Time)) run.push(timer.id);
  }
  expect(run.length).toBeGreaterThan(1500);
  expect(run).toEqual(due.slice(0, run.length));
  expect(items.length).toBe(byId.size);
});
