// Following and forwarding under drawn faults: no request is executed twice, every answer is true,
// and no replica shows what the log does not contain.

import { expect, test } from 'vitest';
import type { LinkMistake } from '../../sim/cluster/simulatedProcess.ts';
import { simulateProcesses } from './simulateProcesses.ts';

test('three processes under faults execute each request at most once, and answer truly', async () => {
  const sums: Record<string, number> = {};
  for (let seed = 1; seed <= 20; seed += 1) {
    const run = await simulateProcesses({ seed });
    expect(run.violation, `seed ${seed}`).toBe(undefined);
    for (const [name, count] of Object.entries({ ...run.fates, ...run.faults })) {
      sums[name] = (sums[name] ?? 0) + count;
    }
  }
  expect(sums.done).toBeGreaterThan(3000);
  for (const name of ['refused', 'unknown', 'cut', 'kill', 'pause', 'isolate', 'failOver']) {
    expect(sums[name], name).toBeGreaterThan(5);
  }
});

test('the same seed gives the same run', async () => {
  const first = await simulateProcesses({ seed: 4 });
  await simulateProcesses({ seed: 5, mistakes: ['dropOrigins'] });
  expect(await simulateProcesses({ seed: 4 })).toEqual(first);
});

/**
 * With the seed that revealed it when this was written, because most runs do not reveal a mistake,
 * and what it is found by where that is certain.
 */
const mistakes: readonly {
  readonly mistake: LinkMistake;
  readonly first: number;
  readonly by?: RegExp;
}[] = [
  { mistake: 'feedBeforeDurable', first: 1 },
  { mistake: 'readVisible', first: 6 },
  { mistake: 'dropOrigins', first: 1 },
  { mistake: 'resendAtOnce', first: 1 },
  { mistake: 'resolveUnapplied', first: 1 },
  { mistake: 'keepFormerLink', first: 99 },
  { mistake: 'settleTooEarly', first: 2 },
  { mistake: 'readWithoutLease', first: 1, by: /has shown batch \d+ when \d+ was answered before/ },
  { mistake: 'sweepAnywhere', first: 1, by: /^the row of \S+ is gone/ },
];

test.each(mistakes)(
  'the planted mistake $mistake is found',
  async ({ mistake, first, by = /./ }) => {
    let found: string | undefined;
    for (let seed = first; seed < first + 400 && found === undefined; seed += 1) {
      found = (await simulateProcesses({ seed, mistakes: [mistake] })).violation;
    }
    expect(found).toMatch(by);
  },
);
