// Goal: the engine moves money by the rules, to the unit, also where everything breaks. Method: a
// naive model of the rules (applyNaive.ts) and the engine take the same few hundred drawn scenarios.
// After every command every bucket, position, order, fund and flag is compared, and the engine's
// invariants are checked. `runFuzz.ts` runs as many scenarios as one likes.

import { expect, test } from 'vitest';
import { seedsWithGaps } from './drawWorld.ts';
import { runScenario } from './fuzz.ts';
import { tellDifference } from './tellDifference.ts';

const firstSeeds = 400;
/** And so many more in which the rare ends come: losses that are shared, winners at the mark. */
const withGaps = 400;

/**
 * What so many scenarios must have reached: one in which nothing breaks proves nothing. About half
 * of what they reach.
 */
const reached: Record<string, number> = {
  flagged: 900,
  steps: 280,
  deepSteps: 1000,
  liquidatedOnBook: 200,
  takenOver: 380,
  deleveraged: 850,
  deleveragedAtMark: 9,
  restoredByFund: 5,
  restoredByDeleveraging: 10,
  shared: 6,
  shortfall: 4,
  fundReduced: 13,
  unwound: 50,
  sparedByIndex: 12,
  funding: 230,
  fundingUnpaid: 40,
  feesShared: 340,
  accrued: 1500,
  accruedLessRebate: 300,
  'accepted claimReferral': 120,
  referralSelf: 300,
  referralTermsInvalid: 30,
  delivered: 80,
  deliveryShared: 3,
  breaker: 2500,
  indexRefused: 800,
  marginInsufficient: 1800,
  leverageAboveBracket: 200,
  makerAboveBracket: 1,
  positionLimitExceeded: 140,
};

const seeds = [
  ...Array.from({ length: firstSeeds }, (_, index) => index + 1),
  ...seedsWithGaps(withGaps, firstSeeds + 1),
];

test('MAR-1 MAR-2 MAR-4 MAR-9 MAR-11 ORD-2c BAL-4 LIQ-1 LIQ-2 LIQ-3 LIQ-4 LIQ-5 LIQ-6 FUND-2 SYM-2 NAT-4 the oracle agrees', () => {
  const totals = new Map<string, number>();
  for (const seed of seeds) {
    const scenario = runScenario(seed);
    if (scenario.difference !== undefined) expect.fail(tellDifference(scenario));
    for (const [name, number] of scenario.tally) {
      totals.set(name, (totals.get(name) ?? 0) + number);
    }
  }
  for (const [name, least] of Object.entries(reached)) {
    expect(totals.get(name) ?? 0, name).toBeGreaterThanOrEqual(least);
  }
});
