// Goal: a state of format 5 goes on without referral (NAT-4). Method: sections of an older format
// are migrated, and compared with the state that they came from.

import { expect, test } from 'vitest';
import { applyCommand } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { migrateSnapshot } from '../../src/engine/snapshot/migrations.ts';
import { decodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import type { Time } from '../../src/units/units.ts';
import { formatFourSections } from '../fixtures/formatFour.ts';
import { play } from '../scenarios/scenario.ts';
import { accountOf, createWorld } from '../scenarios/world.ts';

const apply = (exchange: Exchange, command: Command) => applyCommand(exchange, command, 0 as Time);

test('NAT-4 a state of an older format has no codes and no bindings, and referral is off', () => {
  const world = play(
    createWorld(),
    `
    referral off
    market BTCUSDT makerFee -0.0005 indexSources manual:1
    credit anna 10000
    credit ben 10000
    credit cleo 10000
    credit dora 10000
    index 60000 source manual
    anna buy 0.1 @ 60000
    ben sell 0.1 @ 60000 -> FILLED
    anna sell 0.1 @ 60000
    ben buy 0.1 @ 60000 -> FILLED
    # Weeks later only their last day says that they have traded.
    after 8640000000
    index 60000 source manual
    cleo buy 0.1 @ 60000
    `,
  );
  const migrated = decodeSnapshot(migrateSnapshot(formatFourSections(world.exchange), 4));
  expect(checkInvariants(migrated).failures).toEqual([]);
  const traded = migrated.accounts.filter((account) => account?.traded).map((each) => each!.id);
  expect(traded).toEqual([accountOf(world, 'anna').id, accountOf(world, 'ben').id]);
  expect(migrated.accounts.every((account) => account?.referral === null)).toBe(true);
  expect(migrated.referralCodes.size).toBe(0);
  expect(migrated.referralTerms).toEqual({
    enabled: false,
    discount: 4_000_000,
    share: 10_000_000,
  });
  // Its market pays its rebate out of the full fee, and so the terms must come first.
  const terms = { ...migrated.referralTerms, enabled: true };
  expect(apply(migrated, { kind: 'setReferralTerms', terms })).toMatchObject({
    rejection: { reason: 'referralTermsInvalid' },
  });
});

test('NAT-4a an account whose position is older than its volume has traded', () => {
  const world = play(
    createWorld(),
    `
    market BTCUSDT
    credit anna 10000
    credit ben 10000
    index 60000
    anna buy 0.1 @ 60000
    ben sell 0.1 @ 60000 -> FILLED
    `,
  );
  // As in a state from before volumes were counted.
  accountOf(world, 'anna').volume.day = 0;
  accountOf(world, 'anna').volume.today = 0 as never;
  const migrated = decodeSnapshot(migrateSnapshot(formatFourSections(world.exchange), 4));
  expect(migrated.accounts[accountOf(world, 'anna').id]!.traded).toBe(true);
});
