// The simulated life of the whole exchange, itself put to the test: it is a function of its seed,
// and it finds mistakes that the program is made to make.

import { expect, test } from 'vitest';
import { readLife } from '../../sim/life/lifeArguments.ts';
import type { Mistake } from '../../sim/life/lifeWorld.ts';
import { resultLine } from '../../sim/life/resultLine.ts';
import { type LifeResult, runLife } from '../../sim/life/runLife.ts';

const live = (seed: number, ...args: string[]): Promise<LifeResult> =>
  runLife(readLife(seed, args));

test('the same seed gives the same run', async () => {
  const once = await live(7, '--commands', '1200');
  const again = await live(7, '--commands', '1200');
  expect(once.violations).toEqual([]);
  expect(once.kills).toBeGreaterThan(0);
  expect(resultLine(again)).toBe(resultLine(once));
}, 600_000);

test('another seed gives another run', async () => {
  const one = await live(8, '--commands', '600', '--faults', 'none');
  const other = await live(9, '--commands', '600', '--faults', 'none');
  expect(one.violations).toEqual([]);
  expect(other.violations).toEqual([]);
  expect(one.stateHash).not.toBe(other.stateHash);
}, 600_000);

const mistakes: readonly (readonly [Mistake, string, RegExp])[] = [
  // The file does not contain what was reported to the archivist.
  ['answerBeforeSync', 'kill', /is durable but cannot be read/],
  // The log has holes after a power failure.
  ['skipSync', 'powerLoss', /LogDamaged/],
  ['loseLastBatch', 'kill', /was promised, the log now ends at/],
  // Trading does not know a repeated request that replay knows.
  ['forgetIdempotency', 'kill', /differ|was .*, recovered is/],
  ['loseHistoryRow', 'databaseDown', /history: ledger does not have/],
  // Connections of a killed program stay armed.
  ['keepArmed', 'kill', /are armed after the stop/],
];

/**
 * The violation that the first of several seeds shows: not every run reveals a mistake. They begin
 * with one that reveals all of them when this was written.
 */
async function findWrong(...args: string[]): Promise<string> {
  for (let seed = 3; seed <= 12; seed += 1) {
    const [first] = (await live(seed, '--commands', '3000', '--no-judge', ...args)).violations;
    if (first !== undefined) return first;
  }
  return 'nothing';
}

test.each(mistakes)(
  '%s is found',
  async (mistake, faults, found) => {
    expect(await findWrong('--faults', faults, '--mistake', mistake)).toMatch(found);
  },
  600_000,
);
