// Which processes live, by what a reader sees and by its stopwatch, and which of them may get the
// lease.

import { expect, test } from 'vitest';
import {
  chooseHeir,
  forgottenMembers,
  goneAfterMs,
  heirLagMax,
  isUnsure,
  lifeOf,
  type MemberRow,
  type Sights,
  seeMembers,
} from '../../../src/log/postgres/members.ts';

const row = (process: string, beat: number, changed: Partial<MemberRow> = {}): MemberRow => ({
  ...{ process, beat, address: '', release: '1.0.0', engineHash: 'ab' },
  ...{ role: 'follower', position: 100 },
  ...changed,
});

/** What a reader knows after looks at these times. */
function sightsOf(looks: readonly (readonly [number, readonly MemberRow[]])[]): Sights {
  const sights: Sights = new Map();
  for (const [nowMs, rows] of looks) seeMembers(sights, rows, nowMs);
  return sights;
}

const lives = (sights: Sights, nowMs: number): Record<string, string> =>
  Object.fromEntries([...sights].map(([process, sight]) => [process, lifeOf(sight, nowMs)]));

test('a process lives while its beats grow before the reader, whatever the clocks say', () => {
  const sights = sightsOf([
    [0, [row('a', 7), row('b', 900)]],
    [500, [row('a', 8), row('b', 900)]],
  ]);
  expect(lives(sights, 500)).toEqual({ a: 'live', b: 'unsure' });
  expect(isUnsure(sights, 500)).toBe(true);
  expect(lives(sights, goneAfterMs)).toEqual({ a: 'live', b: 'gone' });
  expect(isUnsure(sights, goneAfterMs)).toBe(false);
  expect(lives(sights, 500 + goneAfterMs)).toEqual({ a: 'gone', b: 'gone' });
});

test('an older beat is no sign of life, and a row that was removed is no process', () => {
  const sights = sightsOf([
    [0, [row('a', 7), row('b', 1)]],
    [1900, [row('a', 6)]],
  ]);
  expect(lives(sights, goneAfterMs)).toEqual({ a: 'gone' });
});

test('a row is forgotten a minute after its last beat', () => {
  const sights = sightsOf([[0, [row('a', 7)]]]);
  expect(forgottenMembers(sights, 59_000)).toEqual([]);
  expect(forgottenMembers(sights, 60_000)).toEqual([row('a', 7)]);
});

const giver = { process: 'a', engineHash: 'ab', position: 3000 };
const choose = (others: readonly MemberRow[], named?: string) => {
  const before = others.map((each) => ({ ...each, beat: 1 }));
  const sights = sightsOf([
    [0, [row('a', 1, { role: 'holder' }), row('dead', 4, { position: 3000 }), ...before]],
    [1500, [row('a', 2, { role: 'holder' }), row('dead', 4, { position: 3000 }), ...others]],
  ]);
  return chooseHeir(sights, giver, { named, nowMs: 2500 });
};

test('the most advanced process that lives and follows gets the lease, or the named one', () => {
  const others = [
    row('b', 2, { position: 2990 }),
    row('c', 2, { position: 2995 }),
    row('d', 2, { role: 'waiting', position: 3000 }),
  ];
  expect(choose(others)).toMatchObject({ kind: 'heir', heir: { process: 'c' } });
  expect(choose(others, 'b')).toMatchObject({ kind: 'heir', heir: { process: 'b' } });
});

test('another engine gets the lease by its name alone, when no one else has the present one', () => {
  const other = row('b', 2, { engineHash: 'cd', position: 3000 });
  expect(choose([other], 'b')).toMatchObject({ kind: 'heir', heir: { process: 'b' } });
  const same = row('c', 2, { position: 2000 });
  expect(choose([other, same])).toMatchObject({ kind: 'heir', heir: { process: 'c' } });
});

test.each<[string, readonly MemberRow[], string?]>([
  ['No other process lives', []],
  ['dead shows no sign of life', [], 'dead'],
  ['No process is called x', [row('b', 2)], 'x'],
  ['a holds the lease already', [row('b', 2)], 'a'],
  ['b has not reached the end of the log', [row('b', 2, { role: 'waiting', position: 3000 })]],
  ['Only processes with another engine live', [row('b', 2, { engineHash: 'cd' })]],
  [
    'b has another engine than the log, and c has the engine of the log',
    [row('b', 2, { engineHash: 'cd' }), row('c', 2, { role: 'waiting' })],
    'b',
  ],
  [`b is ${heirLagMax + 1} batches behind`, [row('b', 2, { position: 999 })]],
])('a handover is refused: %s', (sentence, others, named) => {
  const choice = choose(others, named);
  expect(choice).toMatchObject({ kind: 'refused', why: expect.stringContaining(sentence) });
});
