// The decisions alone: when a candidate takes over, where a log ends, and what a holder does with
// answers that come late, come in another order, or do not come.

import { expect, test } from 'vitest';
import { emptyHead } from '../../../src/log/file/frame.ts';
import type { LogHead } from '../../../src/log/log.ts';
import { logBeginning } from '../../../src/log/log.ts';
import {
  type Candidacy,
  decide,
  type Lease,
  leaseMs,
} from '../../../src/log/postgres/candidacy.ts';
import { readTail } from '../../../src/log/postgres/readTail.ts';
import {
  actsDue,
  beginTenure,
  dueAt,
  type Flight,
  flightAfter,
  giveBatch,
  onCut,
  onRenewed,
  onWritten,
  type Tenure,
} from '../../../src/log/postgres/tenure.ts';
import { entryOf } from './openServers.ts';

const lease: Lease = { epoch: 3, holder: 'other', renewal: 7, released: false };
const lookAt = (seen: Lease, databaseMs = 0) => ({
  lease: seen,
  databaseMs,
  askedMs: 0,
  answeredMs: 0,
});

/** The decisions of a candidate that sees these leases at these times. */
function decideAll(looks: readonly (readonly [number, Lease | undefined])[]): string[] {
  const candidacy: Candidacy = { sight: undefined };
  return looks.map(([nowMs, seen]) =>
    decide(candidacy, seen && lookAt(seen), { holder: 'own', nowMs }),
  );
}

/** Looks at the same lease, every 100 ms, from one time to another. */
const looks = (from: number, to: number, seen = lease): [number, Lease][] =>
  Array.from({ length: (to - from) / 100 + 1 }, (_, index) => [from + 100 * index, seen]);

test('a candidate takes over what it has seen unchanged for the whole lease', () => {
  const decisions = decideAll(looks(0, leaseMs));
  expect(decisions.slice(0, -1).every((decision) => decision === 'wait')).toBe(true);
  expect(decisions.at(-1)).toBe('takeOver');
});

test.each([
  ['another renewal', { ...lease, renewal: 8 }],
  ['another holder', { ...lease, holder: 'third' }],
  ['another epoch', { ...lease, epoch: 4 }],
])('%s begins the count anew', (_, changed) => {
  const decisions = decideAll([...looks(0, 1400), ...looks(1500, 2900, changed)]);
  expect(new Set(decisions)).toEqual(new Set(['wait']));
});

test('one look without an answer changes nothing; an outage begins the count anew', () => {
  const short = decideAll([...looks(0, 700), [800, undefined], ...looks(900, leaseMs)]);
  expect(short.at(-1)).toBe('takeOver');
  const long = decideAll([...looks(0, 700), [1000, undefined], ...looks(1500, 2900)]);
  expect(long).not.toContain('takeOver');
});

test('a lease that was given back is taken at once; an own one is held; a clock that is off bars', () => {
  expect(decideAll([[0, { ...lease, released: true }]])).toEqual(['takeOver']);
  expect(decideAll([[0, { ...lease, holder: 'own' }]])).toEqual(['held']);
  const off = (databaseMs: number) =>
    decide({ sight: undefined }, lookAt({ ...lease, released: true }, databaseMs), {
      holder: 'own',
      nowMs: 0,
    });
  expect([off(501), off(-501), off(500)]).toEqual(['clockOff', 'clockOff', 'takeOver']);
});

/** A chain of batches from 1 on. */
function chainOf(count: number): Flight[] {
  const chain: Flight[] = [];
  for (let index = 0; index < count; index += 1) {
    chain.push(flightAfter(chain.at(-1) ?? emptyHead, entryOf(`batch ${index + 1}`)));
  }
  return chain;
}

const placeOf = ({ position, hash }: LogHead) => ({ position, hash: hash.toString('hex') });

test('the end of a log: whole, behind a hole, and what no crash leaves', () => {
  const chain = chainOf(40);
  const last = chain.slice(-16);
  expect(readTail([], logBeginning)).toMatchObject({ kind: 'whole', head: { position: 0 } });
  expect(readTail(last, logBeginning)).toMatchObject({ kind: 'whole', head: { position: 40 } });
  const without = (...positions: number[]) => {
    return chain.filter(({ position }) => !positions.includes(position)).slice(-16);
  };
  expect(readTail(without(38), logBeginning)).toMatchObject({
    kind: 'hole',
    head: { position: 37 },
  });
  expect(readTail(without(37, 39), logBeginning)).toMatchObject({ kind: 'hole' });
  expect(readTail(without(36), logBeginning)).toMatchObject({ kind: 'damaged' });
  expect(readTail(chain.slice(1, 4), logBeginning)).toMatchObject({
    kind: 'hole',
    head: { position: 0 },
  });
  const known = placeOf(chain[37]!);
  expect(readTail(without(38), known)).toMatchObject({ kind: 'damaged' });
  expect(readTail(without(39), known)).toMatchObject({ kind: 'hole', head: { position: 38 } });
  expect(readTail(last, { ...known, hash: '00' })).toMatchObject({ kind: 'damaged' });
  const other = { ...chain[39]!, previousHash: Buffer.alloc(32) };
  expect(readTail([...chain.slice(24, 39), other], logBeginning)).toMatchObject({
    kind: 'damaged',
  });
});

function openTenure(places: readonly Flight[]): Tenure {
  const tenure = beginTenure(logBeginning, 0);
  expect(actsDue(tenure, 0)).toEqual([{ kind: 'renew', renewal: 1, known: 0 }]);
  expect(onRenewed(tenure, { kind: 'renewed', places }, 1)).toMatchObject([{ kind: 'open' }]);
  return tenure;
}

const give = (tenure: Tenure, text: string): Flight => giveBatch(tenure, entryOf(text)).flight;
const written = (tenure: Tenure, { position }: Flight, clean: boolean) =>
  onWritten(tenure, { position, clean, nowMs: 10 });

test('only the unbroken prefix is acknowledged', () => {
  const tenure = openTenure([]);
  const [one, two, three] = [give(tenure, 'one'), give(tenure, 'two'), give(tenure, 'three')];
  expect(written(tenure, two, true)).toEqual([]);
  expect(written(tenure, one, true)).toMatchObject([
    { kind: 'acknowledge', head: { position: 2 } },
  ]);
  expect(written(tenure, three, true)).toMatchObject([{ head: { position: 3 } }]);
});

test('a batch in doubt: what a later renewal has read is durable, what is absent is written again', () => {
  const tenure = openTenure([]);
  const [one, two] = [give(tenure, 'one'), give(tenure, 'two')];
  expect(written(tenure, one, false)).toEqual([]);
  expect(dueAt(tenure)).toBe(60);
  expect(actsDue(tenure, 60)).toMatchObject([{ kind: 'renew', renewal: 2 }]);
  // This doubt began after the renewal was sent, which decides nothing about it.
  expect(written(tenure, two, false)).toEqual([]);
  const acts = onRenewed(tenure, { kind: 'renewed', places: [one] }, 70);
  expect(acts).toMatchObject([{ kind: 'acknowledge', head: { position: 1 } }]);
  expect(actsDue(tenure, dueAt(tenure))).toMatchObject([{ kind: 'renew', renewal: 3 }]);
  expect(onRenewed(tenure, { kind: 'doubtful' }, 130)).toEqual([]);
  expect(actsDue(tenure, 180)).toMatchObject([{ kind: 'renew', renewal: 4 }]);
  const again = onRenewed(tenure, { kind: 'renewed', places: [one] }, 190);
  expect(again).toEqual([{ kind: 'write', flight: two }]);
  expect(written(tenure, two, true)).toMatchObject([
    { kind: 'acknowledge', head: { position: 2 } },
  ]);
});

test("a batch that is not the holder's own ends the tenure, and so does a lost lease", () => {
  const tenure = openTenure([]);
  const one = give(tenure, 'one');
  actsDue(tenure, 400);
  const places = [flightAfter(emptyHead, entryOf('foreign'))];
  expect(onRenewed(tenure, { kind: 'renewed', places }, 410)).toMatchObject([
    { kind: 'end', ending: { kind: 'damaged' } },
  ]);
  expect(written(tenure, one, true)).toEqual([]);
  const other = openTenure([]);
  actsDue(other, 400);
  expect(onRenewed(other, { kind: 'deposed' }, 410)).toMatchObject([
    { kind: 'end', ending: { kind: 'deposed' } },
  ]);
  expect(dueAt(other)).toBe(Number.POSITIVE_INFINITY);
});

test('a hole is cut, and the end is read again until it is whole', () => {
  const [one, two, three] = chainOf(3) as [Flight, Flight, Flight];
  const tenure = beginTenure(logBeginning, 0);
  actsDue(tenure, 0);
  const cut = [{ kind: 'cut', after: 1 }];
  expect(onRenewed(tenure, { kind: 'renewed', places: [one, three] }, 1)).toEqual(cut);
  expect(actsDue(tenure, 1000)).toEqual([]);
  expect(onCut(tenure, 2)).toMatchObject([{ kind: 'renew' }]);
  expect(onRenewed(tenure, { kind: 'renewed', places: [one, three] }, 3)).toEqual(cut);
  onCut(tenure, 4);
  expect(onRenewed(tenure, { kind: 'renewed', places: [one] }, 5)).toMatchObject([
    { kind: 'open', head: { position: 1 } },
  ]);
  expect(give(tenure, 'batch 2').hash.equals(two.hash)).toBe(true);
});
