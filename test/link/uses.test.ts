// Limits that several processes share: one client gets one limit, and a little more for the time
// that messages need; what processes have counted agrees again after every failure of links.

import { expect, test } from 'vitest';
import { simulateUses, type UseMistake, type UseWorld } from '../../sim/cluster/simulateUses.ts';
import { entriesMax } from '../../src/link/linkMessage.ts';
import {
  createUseExchange,
  forgetUses,
  onUseLink,
  recordUses,
  takeUses,
  usesToSay,
} from '../../src/link/uses.ts';

const calm: Omit<UseWorld, 'seed'> = {
  ...{ processes: 3, windowMs: 6000, windows: 3, limit: 1200, latencyMaxMs: 5 },
  ...{ rate: 1.2, failuresPerSecond: 0 },
};
const rough = { ...calm, failuresPerSecond: 6, rate: 0.4 };

test('a client at three processes gets one limit, and what two of them admit before they hear', () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const { admitted, burst, counts, last } = simulateUses({ ...calm, seed });
    expect(admitted.length).toBe(calm.windows);
    for (const each of admitted) {
      expect(each).toBeGreaterThanOrEqual(calm.limit);
      expect(each).toBeLessThanOrEqual(calm.limit + (calm.processes - 1) * burst);
    }
    expect(counts).toEqual(counts.map(() => last));
  }
});

test('without the exchange the same client gets almost three limits', () => {
  const { admitted } = simulateUses({ ...calm, seed: 1, latencyMaxMs: 10_000_000 });
  for (const each of admitted) expect(each).toBeGreaterThan(2.5 * calm.limit);
});

test('whatever breaks, all processes have counted what was admitted, each request once', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const { counts, last } = simulateUses({ ...rough, seed });
    expect(last).toBeGreaterThan(0);
    expect({ seed, counts }).toEqual({ seed, counts: counts.map(() => last) });
  }
});

test.each<UseMistake>(['sayNothingAtLink', 'passNothingOn', 'addTotals'])(
  'the simulation finds the mistake %s',
  (mistake) => {
    const isWrong = (seed: number): boolean => {
      const results = [calm, rough].map((world) => simulateUses({ ...world, seed, mistake }));
      return results.some(({ counts, last }) => counts.some((count) => count !== last));
    };
    const found = Array.from({ length: 20 }, (_, index) => index + 1).find(isWrong);
    expect(found).toBeDefined();
  },
);

test('totals of ended windows are forgotten, and a message has a bound', () => {
  const exchange = createUseExchange('a');
  onUseLink(exchange, 1, 'b');
  const uses = Array.from({ length: entriesMax + 5 }, (_, index) => ({
    ...{ name: `weight ${index}`, until: index < 5 ? 1000 : 2000, total: 1 },
  }));
  recordUses(exchange, uses);
  expect(usesToSay(exchange, 1).map((message) => message.uses.length)).toEqual([entriesMax]);
  expect(usesToSay(exchange, 1).map((message) => message.uses.length)).toEqual([5]);
  expect(usesToSay(exchange, 1)).toEqual([]);
  forgetUses(exchange, 1000);
  onUseLink(exchange, 2, 'c');
  const said = [...usesToSay(exchange, 2), ...usesToSay(exchange, 2)];
  expect(said.flatMap((message) => message.uses).length).toBe(entriesMax);
  forgetUses(exchange, 2000);
  onUseLink(exchange, 3, 'd');
  expect(usesToSay(exchange, 3)).toEqual([]);
});

test('a smaller total, an older window and own totals from elsewhere change nothing', () => {
  const exchange = createUseExchange('a');
  const hear = (until: number, total: number, process = 'b') =>
    takeUses(exchange, { process, uses: [{ name: 'x', until, total }] });
  expect(hear(1000, 5)).toEqual([{ name: 'x', until: 1000, amount: 5 }]);
  expect(hear(1000, 5)).toEqual([]);
  expect(hear(1000, 4)).toEqual([]);
  expect(hear(1000, 9)).toEqual([{ name: 'x', until: 1000, amount: 4 }]);
  expect(hear(2000, 2)).toEqual([{ name: 'x', until: 2000, amount: 2 }]);
  expect(hear(1000, 50)).toEqual([]);
  expect(hear(2000, 3, 'a')).toEqual([]);
});
