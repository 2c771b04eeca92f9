// Goal: a state of format 7 goes on without a vault (VLT-1), and its withdrawals are requested
// ones. Method: a present snapshot without what format 8 has added is migrated and compared.

import { expect, test } from 'vitest';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { migrateSnapshot } from '../../src/engine/snapshot/migrations.ts';
import { decodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { createVaultLedger } from '../../src/engine/vaultLedger.ts';
import { formatSevenSections } from '../fixtures/formatSeven.ts';
import { runStream } from './commandStream.ts';

test('VLT-1 a state of format 7 has no vault, and its withdrawals wait without a fee', () => {
  let withdrawals = 0;
  for (const seed of [1, 2, 3, 4]) {
    const exchange = runStream(seed, 1200);
    const migrated = decodeSnapshot(migrateSnapshot(formatSevenSections(exchange), 7));
    expect(checkInvariants(migrated).failures).toEqual([]);
    expect(stateHash(migrated)).toBe(stateHash(exchange));
    expect(priceHash(migrated)).toBe(priceHash(exchange));
    expect(migrated.vault).toEqual(createVaultLedger());
    expect(migrated.withdrawals).toEqual(exchange.withdrawals);
    withdrawals += migrated.withdrawals.size;
  }
  expect(withdrawals).toBeGreaterThan(3);
});
