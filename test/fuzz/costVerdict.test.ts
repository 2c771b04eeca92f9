// Goal: an excess of a tenth over the budget of a request is found, and noise is no finding.
// Method: simulated measurements of a machine that does other work, with a known true cost.

import { expect, test } from 'vitest';
import { judgeRounds } from '../../fuzz/costVerdict.ts';
import { createPrng } from '../../src/std/prng.ts';

type Machine = {
  /** The standard deviation of a measurement, as a part of it. */
  readonly spread: number;
  /** The part of the measurements that are disturbed; they show up to three times the cost. */
  readonly disturbed: number;
  /** The first rounds show this many times the cost: their code is not compiled yet. */
  readonly cold: number;
};

const runs = 500;
const coldRounds = 10;
/** Without a pair, a round is compared with the middle of the last five. */
const kept = 5;

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** The part of the runs in which a case of this true cost, in budgets, is found. */
async function found(truth: number, { spread, disturbed, cold }: Machine): Promise<number> {
  const { unit } = createPrng(7);
  const measured = (): number => {
    const normal = Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit());
    const slow = unit() < disturbed ? 1 + 2 * unit() : 1;
    return Math.max(0.5, 1 + spread * normal) * slow;
  };
  let findings = 0;
  for (let run = 0; run < runs; run += 1) {
    let round = 0;
    const next = async (isPaired: boolean) => {
      round += 1;
      const cost = truth * measured() * (round < coldRounds ? cold : 1);
      const plain = isPaired ? measured() : middle(Array.from({ length: kept }, measured));
      return { value: { cost, plain }, us: 1000 };
    };
    const { isOver } = await judgeRounds(
      next,
      (all) => middle(all.map(({ cost }) => cost)) / middle(all.map(({ plain }) => plain)),
    );
    if (isOver) findings += 1;
  }
  return findings / runs;
}

test.each([
  ['an idle machine', { spread: 0.05, disturbed: 0.05, cold: 1 }, 0.98],
  ['code that becomes compiled', { spread: 0.05, disturbed: 0.05, cold: 1.5 }, 0.98],
  ['a busy machine', { spread: 0.08, disturbed: 0.1, cold: 1 }, 0.85],
])('what costs its budget is not reported, and a tenth more is: %s', async (_, machine, least) => {
  expect(await found(0.9, machine)).toBe(0);
  expect(await found(1, machine)).toBeLessThan(0.005);
  expect(await found(1.1, machine)).toBeGreaterThan(least);
  expect(await found(1.25, machine)).toBeGreaterThan(0.98);
});
