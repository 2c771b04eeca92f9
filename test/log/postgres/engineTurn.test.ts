// Two releases on one log. Goal: the newer engine takes over when no process with the engine of the
// log lives, and neither earlier nor never. Method: the decision step by step, and three processes
// over a stepped database that start with one of three engines each time, under drawn faults.

import { expect, test } from 'vitest';
import {
  lookGapMaxMs,
  type MemberWatch,
  waitsFor,
  watchRows,
  whyBarred,
} from '../../../src/log/postgres/engineTurn.ts';
import { goneAfterMs, type MemberRow } from '../../../src/log/postgres/members.ts';
import { simulateCluster } from './simulateCluster.ts';

const row = (process: string, engineHash: string, beat: number): MemberRow => ({
  ...{ process, beat, address: `at ${process}`, release: '1.0.0', engineHash },
  ...{ role: 'follower', position: 100 },
});

/** What a process has seen after looks at these times. */
function watchOf(looks: readonly (readonly [number, readonly MemberRow[]])[]): MemberWatch {
  const watch: MemberWatch = { sights: new Map(), lookedAt: undefined };
  for (const [nowMs, rows] of looks) watchRows(watch, rows, nowMs);
  return watch;
}

const newer = { process: 'n', engineHash: 'new', logEngine: 'old' };

test('a process with the engine of the log waits for none, and so does every one on an empty log', () => {
  const watch = watchOf([[0, [row('o', 'old', 1)]]]);
  expect(whyBarred(watch, { ...newer, engineHash: 'old' }, 0)).toBe(undefined);
  expect(whyBarred(watch, { ...newer, logEngine: '' }, 0)).toBe(undefined);
});

test('a process with a newer engine waits until those with the engine of the log are gone', () => {
  const beats: [number, MemberRow[]][] = [0, 500, 1000].map((at, index) => [
    at,
    [row('n', 'new', index + 1), row('other', 'new', index + 1), row('o', 'old', index + 1)],
  ]);
  const killed: [number, MemberRow[]][] = [1500, 2000, 2500, 3000].map((at, index) => [
    at,
    [row('n', 'new', index + 4), row('other', 'new', index + 4), row('o', 'old', 3)],
  ]);
  const watch = watchOf(beats);
  expect(waitsFor(watch.sights, newer, 1000).map(({ process }) => process)).toEqual(['o']);
  expect(whyBarred(watch, newer, 1000)).toContain('process o at at o');
  const later = watchOf([...beats, ...killed]);
  expect(whyBarred(later, newer, 999 + goneAfterMs)).toContain('leaves the lease to');
  expect(whyBarred(later, newer, 1000 + goneAfterMs)).toBe(undefined);
  // One that leaves by itself removes its row.
  expect(whyBarred(watchOf([...beats, [1500, [row('n', 'new', 4)]]]), newer, 1500)).toBe(undefined);
});

test('before the first look, and after a gap, a process does not know who lives', () => {
  const unknown = 'does not know yet';
  expect(whyBarred(watchOf([]), newer, 0)).toContain(unknown);
  const looks: [number, MemberRow[]][] = [[0, [row('o', 'old', 1)]]];
  expect(whyBarred(watchOf(looks), newer, lookGapMaxMs + 1)).toContain(unknown);
  // An outage of the database: the last beat before it is no sign that the other one is gone.
  const after = watchOf([...looks, [5000, [row('o', 'old', 1)]]]);
  expect(whyBarred(after, newer, 5000)).toContain('process o');
});

const engines = ['aa', 'bb', 'cc'];

test('three releases mixed under faults: each engine has its turn once, and trading goes on', async () => {
  let upgrades = 0;
  for (let seed = 1; seed <= 12; seed += 1) {
    const { violation, ran } = await simulateCluster({ seed, engines });
    expect(violation, `seed ${seed}`).toBe(undefined);
    upgrades += ran.length - 1;
  }
  expect(upgrades).toBeGreaterThan(6);
});

test('the planted mistake is found: a newer engine takes a free lease at once', async () => {
  let found: string | undefined;
  for (let seed = 1; seed <= 60 && found === undefined; seed += 1) {
    found = (await simulateCluster({ seed, engines, blindTurn: true })).violation;
  }
  expect(found).toMatch(/takes over while .* lives/);
});
