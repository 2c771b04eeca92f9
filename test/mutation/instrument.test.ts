// The tool that judges the tests (docs/mutation.md), on a source small enough to know every answer:
// switched off the mutants change nothing, switched on each does what it says, and off again
// nothing.

import { stripTypeScriptTypes } from 'node:module';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { findMutants } from '../../mutation/findMutants.ts';
import { instrument, type Switchboard } from '../../mutation/instrument.ts';
import { isEquivalent, staleEntries } from '../../mutation/isEquivalent.ts';

const source = `
const bound = 10;
function judged(amount: number): string {
  assert(amount >= 0, 'an amount');
  if (amount < bound) return 'few';
  let sum = 0;
  for (const part of [amount, (amount + 1) * 2]) sum += part;
  log(sum);
  return String(Math.max(sum, -sum));
}
`;

/** The function of the source, and the switch that turns a mutant on. */
function load() {
  const findings = findMutants(source, 'judged.ts');
  const board: Switchboard = {
    active: 0,
    hits: new Uint8Array(findings.mutants.length + 1),
    constants: [],
    swap: {},
    turn: () => {},
  };
  const logged: number[] = [];
  const text = stripTypeScriptTypes(instrument(source, findings, 1));
  const judged = runInNewContext(`${text}\njudged`, {
    __mutation: board,
    assert: () => {},
    log: (sum: number) => logged.push(sum),
  }) as (amount: number) => string;
  const answers = (active: number): string => {
    board.active = active;
    for (const assign of board.constants) assign();
    logged.length = 0;
    return `${[9, 10, 11].map(judged).join(' ')} logged ${logged.join(' ')}`;
  };
  return { findings, board, answers };
}

const right = 'few 32 35 logged 32 35';

test('a mutant is one change and never changes an assertion', () => {
  const { findings, board, answers } = load();
  expect(answers(0)).toBe(right);
  expect(board.hits.slice(1)).toContain(1);
  const reported = new Map<string, string>();
  for (const [index, { start, end, text }] of findings.mutants.entries()) {
    const change = `${source.slice(start, end).split('\n')[0]} → ${text}`;
    reported.set(change, answers(index + 1));
    expect(answers(0), change).toBe(right);
  }
  expect(reported.get('10 → 10 + 1')).toBe('few few 35 logged 35');
  expect(reported.get('10 → 10 - 1')).toBe('29 32 35 logged 29 32 35');
  expect(reported.get('amount < bound → amount <= bound')).toBe('few few 35 logged 35');
  expect(reported.get('amount < bound → false')).toBe('29 32 35 logged 29 32 35');
  expect(reported.get("'few' → ''")).toBe(' 32 35 logged 32 35');
  expect(reported.get('(amount + 1) * 2 → (amount + 1) / 2')).toBe('few 15.5 17 logged 15.5 17');
  expect(reported.get('sum += part; → ')).toBe('few 0 0 logged 0 0');
  expect(reported.get('log(sum); → ')).toBe('few 32 35 logged ');
  expect(reported.get('Math.max(sum, -sum) → Math.min(sum, (-sum))')).toBe(
    'few -32 -35 logged 32 35',
  );
  expect([...reported.keys()].filter((change) => change.includes('an amount'))).toEqual([]);
});

test('an entry that no longer names a mutant of its file is stale', () => {
  const entry = { file: 'a.ts', line: 'if (x > 0) {', changes: ['0 → 1', 'x > 0 → x >= 0'] };
  const other = { ...entry, file: 'b.ts' };
  const known = [entry, other].map((each) => ({ ...each, reason: 'x is never 0' }));
  const mutant = { path: 'a.ts', source: 'if (x > 0) {', change: 'x > 0 → x >= 0' };
  expect(isEquivalent(known, mutant)).toBe(true);
  expect(isEquivalent(known, { ...mutant, change: 'x > 0 → true' })).toBe(false);
  // Nothing of b.ts was read.
  expect(staleEntries(known, ['a.ts'], [mutant])).toEqual([{ ...mutant, change: '0 → 1' }]);
});
