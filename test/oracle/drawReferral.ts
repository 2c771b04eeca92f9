// The commands of a fuzz scenario about referral (NAT-4): chains and stars of accounts before they
// trade, then claims, late bindings and other terms.

import type { Command } from '../../src/engine/command.ts';
import type { Prng } from '../../src/std/prng.ts';
import type { AccountId, Rate } from '../../src/units/units.ts';
import { chance, pick } from './drawWorld.ts';
import type { NaiveState } from './naiveState.ts';

const codeOf = (account: number): string => `CODE${account}`;

/** Codes of some of the accounts, and bindings of others to them; circles are refused. */
export function drawBindings(prng: Prng, accounts: number): Command[] {
  const commands: Command[] = [];
  const owners: number[] = [];
  for (let account = 1; account <= accounts; account += 1) {
    if (!chance(prng, 40)) continue;
    owners.push(account);
    const code = codeOf(account);
    commands.push({ kind: 'setReferralCode', account: account as AccountId, code });
  }
  for (let account = 1; account <= accounts && owners.length > 0; account += 1) {
    if (chance(prng, 25)) continue;
    const code = codeOf(pick(prng, owners));
    commands.push({ kind: 'bindReferral', account: account as AccountId, code });
  }
  return commands;
}

export function drawReferral(prng: Prng, state: NaiveState): Command {
  const account = (1 + prng.below(state.accounts.length - 1)) as AccountId;
  const draw = prng.below(10);
  if (draw < 5) {
    const due = state.accounts.filter(({ accrued }) => accrued > 0n);
    const claimant = due.length > 0 && chance(prng, 80) ? pick(prng, due).id : account;
    return { kind: 'claimReferral', account: claimant as AccountId };
  }
  const code = chance(prng, 10) ? pick(prng, ['code', 'ABC']) : codeOf(1 + prng.below(12));
  if (draw < 6) return { kind: 'setReferralCode', account, code };
  if (draw < 8) return { kind: 'bindReferral', account, code };
  const rate = (): Rate =>
    pick(prng, [0, 1, 4_000_000, 33_333_333, 50_000_000, 50_000_001]) as Rate;
  const terms = { enabled: chance(prng, 75), discount: rate(), share: rate() };
  return { kind: 'setReferralTerms', terms };
}
