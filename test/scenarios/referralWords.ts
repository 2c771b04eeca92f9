// The words of a scenario for referral (NAT-4): codes, bindings, claims, the operator's terms. The
// grammar is in docs/rules/README.md.

import type { Account } from '../../src/engine/account.ts';
import { applyCommand } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Rate, Time } from '../../src/units/units.ts';
import { accountOf, moneyText, option, scaled, type World } from './world.ts';

/** Runs a step of the operator about referral; false: not such a step. */
export function actReferralForAll(world: World, words: readonly string[]): boolean {
  const [first, ...rest] = words;
  if (first !== 'referral') return false;
  const { referralTerms } = world.exchange;
  const rate = (name: 'discount' | 'share'): Rate => {
    const text = option(rest, name);
    return text === undefined ? referralTerms[name] : (scaled(text, 8) as Rate);
  };
  const [discount, share] = [rate('discount'), rate('share')];
  const terms = { enabled: rest[0] === 'on', discount, share };
  apply(world, { kind: 'setReferralTerms', terms });
  return true;
}

/** Runs a step of an account about referral; false: the verb is none of these. */
export function actReferralFor(world: World, name: string, words: readonly string[]): boolean {
  const [verb, code] = words;
  const account = (): number => accountOf(world, name).id;
  switch (verb) {
    case 'code':
      apply(world, { kind: 'setReferralCode', account: account(), code } as Command);
      return true;
    case 'bind':
      apply(world, { kind: 'bindReferral', account: account(), code } as Command);
      return true;
    case 'claim':
      apply(world, { kind: 'claimReferral', account: account() } as Command);
      return true;
    default:
      return false;
  }
}

/** The figures of an account that NAT-4 speaks of. */
export function referralFigures({ exchange }: World, { referral }: Account) {
  const owner = exchange.accounts[referral?.referrer ?? 0];
  return {
    code: referral?.code || 'none',
    boundTo: owner?.referral?.code || 'none',
    referees: String(referral?.referees ?? 0),
    accrued: moneyText(referral?.accrued ?? 0),
    claimed: moneyText(referral?.claimed ?? 0),
    accruedToday: moneyText(referral?.today ?? 0),
  };
}

function apply(world: World, command: Command): void {
  world.last = applyCommand(world.exchange, command, 0 as Time);
}
