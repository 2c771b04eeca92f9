// Eight simulated runs of the whole exchange, each with its own clients and its own faults, in
// two processes. A violation is reported with the line that reproduces it.

import { expect, test } from 'vitest';
import { faultNames } from '../../sim/life/faults.ts';
import { runEachSeed } from '../../sim/life/runSeeds.ts';

test('eight runs keep every promise', async () => {
  const found: string[] = [];
  const args = ['--commands', '5000'];
  const sums = await runEachSeed({
    // These eight meet everything that is looked for below; `npm run sim -- seeds` runs any number.
    from: 3,
    count: 8,
    workers: 2,
    args,
    onResult: ({ seed, violations }) => {
      if (violations.length === 0) return;
      found.push(`npm run sim -- ${seed} ${args.join(' ')}: ${violations[0]}`);
    },
  });
  expect(found).toEqual([]);
  expect(sums.commands).toBeGreaterThanOrEqual(40_000);
  expect(sums.kills).toBeGreaterThan(24);
  // Nothing that can go wrong was left out.
  expect(Object.keys(sums.faults).sort()).toEqual([...faultNames].sort());
  for (const name of ['skipped', 'damageRefused', 'deliveries', 'withdrawals done', 'stops']) {
    expect(sums.counts[name], name).toBeGreaterThan(0);
  }
  // Liquidations are part of ordinary lives, to their last means.
  expect(sums.counts['event liquidationFlagged']).toBeGreaterThan(24);
  for (const means of ['takenOver', 'deleveraged', 'lossCovered', 'profitShared']) {
    expect(sums.counts[`event ${means}`], means).toBeGreaterThan(0);
  }
  // Referrers are paid and sessions end, over kills.
  for (const each of ['referralAccrued', 'referralClaimed', 'sessionEnded']) {
    expect(sums.counts[`event ${each}`], each).toBeGreaterThan(24);
  }
  expect(sums.counts['balances of an ended session refused']).toBeGreaterThan(24);
}, 1_800_000);
