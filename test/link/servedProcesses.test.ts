// Whose connections stand (COD-6), as the holder of the lease decides it: by links, by time that
// counts only while it runs, and by what it knows of the process before it.

import { expect, test } from 'vitest';
import {
  connectionNumbersOf,
  rangeOfConnection,
  rangeOfProcess,
} from '../../src/link/connectionNumbers.ts';
import {
  awaitedMs,
  createServedProcesses,
  lostTest,
  onMemberGone,
  onMemberLinked,
  passTime,
  type ServedProcesses,
} from '../../src/link/servedProcesses.ts';

const begin = (former?: string): ServedProcesses =>
  createServedProcesses({ process: 'holder', former }, 0);

const isLost = (served: ServedProcesses, process: string): boolean =>
  lostTest(served)(connectionNumbersOf(process).last);

/** Time passes in steps of 200 ms. */
function pass(served: ServedProcesses, milliseconds: number): void {
  const until = served.lookedAt + milliseconds;
  while (served.lookedAt < until) passTime(served, Math.min(until, served.lookedAt + 200));
}

test('COD-1 each process has numbers of its own, which say whose they are', () => {
  const names = Array.from({ length: 200 }, (_, index) => `process ${index}`);
  for (const name of names) {
    const { first, last } = connectionNumbersOf(name);
    expect(first).toBeGreaterThan(0);
    expect(Number.isSafeInteger(last)).toBe(true);
    for (const each of [first, last]) expect(rangeOfConnection(each)).toBe(rangeOfProcess(name));
  }
  expect(new Set(names.map(rangeOfProcess)).size).toBe(names.length);
});

test('COD-6 the own connections stand, those of the process before end at once, of others later', () => {
  const served = begin('former');
  expect(['holder', 'former', 'other'].map((name) => isLost(served, name))).toEqual([
    false,
    true,
    false,
  ]);
  pass(served, awaitedMs - 1);
  expect(isLost(served, 'other')).toBe(false);
  pass(served, 1);
  expect(['holder', 'former', 'other'].map((name) => isLost(served, name))).toEqual([
    false,
    true,
    true,
  ]);
  // An exchange of one process before had its numbers from 1.
  expect(lostTest(served)(1)).toBe(true);
});

test('COD-6 a process stands while it has a link, and five seconds longer', () => {
  const served = begin();
  onMemberLinked(served, { link: 1, process: 'other' });
  pass(served, 60_000);
  expect(isLost(served, 'other')).toBe(false);
  // Its next link comes before the end of the former one is seen.
  onMemberLinked(served, { link: 2, process: 'other' });
  onMemberGone(served, 1);
  pass(served, 60_000);
  expect(isLost(served, 'other')).toBe(false);
  onMemberGone(served, 2);
  pass(served, awaitedMs - 1);
  expect(isLost(served, 'other')).toBe(false);
  pass(served, 1);
  expect(isLost(served, 'other')).toBe(true);
  // What it arms now stands; what it had was ended.
  onMemberLinked(served, { link: 3, process: 'other' });
  expect(isLost(served, 'other')).toBe(false);
  onMemberGone(served, 9);
  expect(served.awaited.size).toBe(0);
});

test('COD-6 a holder that stood still has waited for a second, however long it was', () => {
  const served = begin();
  onMemberLinked(served, { link: 1, process: 'other' });
  onMemberGone(served, 1);
  for (let stood = 1; stood <= 4; stood += 1) passTime(served, stood * 3_600_000);
  expect([isLost(served, 'other'), isLost(served, 'unheard')]).toEqual([false, false]);
  passTime(served, 5 * 3_600_000);
  expect([isLost(served, 'other'), isLost(served, 'unheard')]).toEqual([true, true]);
});

test('COD-1 a process whose numbers another one has is not served', () => {
  // Found by trial; two random names have the same range once in 2^31.
  const [one, other] = ['p15836', 'p31056'];
  expect(rangeOfProcess(one)).toBe(rangeOfProcess(other));
  const served = begin();
  expect(onMemberLinked(served, { link: 1, process: one })).toBeUndefined();
  expect(onMemberLinked(served, { link: 2, process: other })).toBe(
    'its connections would have the numbers of another process: start it again',
  );
  expect(onMemberLinked(served, { link: 3, process: one })).toBeUndefined();
  const own = createServedProcesses({ process: one, former: undefined }, 0);
  expect(onMemberLinked(own, { link: 1, process: other })).toMatch(/numbers of another process/);
});
