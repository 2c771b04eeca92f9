// Random calls of the vault by forge, with what must hold after each of them. `npm run
// contracts:forge` runs longer campaigns and tries all mistakes.

import { describe, expect, test } from 'vitest';
import { mutants } from '../../contracts/mutants.ts';
import { mutated } from '../../contracts/mutated.ts';
import { type Campaign, findForge, runForge } from '../../contracts/runForge.ts';

const campaign: Campaign = { runs: 15, depth: 120, seed: 1 };
const isThere = findForge() !== undefined;
if (!isThere) {
  if (process.env.CI !== undefined) throw new Error('CI has no forge: run npm ci on linux x64');
  process.stderr.write('SKIPPED: random calls of the vault: npm has no forge for this platform\n');
}

describe.skipIf(!isThere)('VLT-1 the vault under random calls', () => {
  test('keeps its promises', () => {
    const { held, broken } = runForge(campaign);
    expect(broken).toEqual([]);
    expect(held.toSorted()).toEqual([
      'invariant_bucket()',
      'invariant_deposits()',
      'invariant_exit()',
      'invariant_money()',
      'invariant_payments()',
    ]);
  });

  test('with a mistake in it breaks one', () => {
    const mutant = mutants.find(({ right }) => right.startsWith('if (!isSigner[signer])'))!;
    const { broken } = runForge({ ...campaign, changed: mutated(mutant) });
    expect(broken.map(({ reason }) => reason)).toContain('a batch that must be refused');
  });
});
