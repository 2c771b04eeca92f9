// The protocol of lease, write and takeover under drawn faults: nothing acknowledged is lost,
// nothing is in the log twice, each epoch has one writer. clusterSeeds.test.ts does it for longer.

import { expect, test } from 'vitest';
import { simulateCluster } from './simulateCluster.ts';
import type { Mistake } from './steppedDatabase.ts';

test('two processes under faults keep every promise', async () => {
  let acknowledged = 0;
  let epochs = 0;
  let handovers = 0;
  for (let seed = 1; seed <= 12; seed += 1) {
    const run = await simulateCluster({ seed });
    expect(run.violation, `seed ${seed}`).toBe(undefined);
    acknowledged += run.acknowledged;
    epochs += run.epochs;
    handovers += run.faults.handOver ?? 0;
  }
  expect(handovers).toBeGreaterThan(10);
  expect(acknowledged).toBeGreaterThan(1000);
  expect(epochs).toBeGreaterThan(20);
});

test('the same seed gives the same run, also after runs with planted mistakes', async () => {
  const first = await simulateCluster({ seed: 1004 });
  for (const mistake of [...mistakes, 'noFence', 'readAfterBarrier'] as const) {
    for (let seed = 1; seed <= 5; seed += 1) await simulateCluster({ seed, mistakes: [mistake] });
  }
  expect(await simulateCluster({ seed: 1004 })).toEqual(first);
  expect((await simulateCluster({ seed: 1005 })).trace).not.toBe(first.trace);
});

const mistakes: readonly Mistake[] = ['earlyCommit', 'noticeIsSuccess'];

test.each(mistakes)('the planted mistake %s is found', async (mistake) => {
  let found: string | undefined;
  for (let seed = 1; seed <= 60 && found === undefined; seed += 1) {
    found = (await simulateCluster({ seed, mistakes: [mistake] })).violation;
  }
  expect(found).toBeTypeOf('string');
});
