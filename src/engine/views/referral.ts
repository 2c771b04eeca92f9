// Referral as readers see it (NAT-4): what an account has and has earned, and the terms.

import type { Money } from '../../units/units.ts';
import { isReferralCode as isCode, type ReferralTerms as TermsState } from '../referral.ts';
import type { Account } from './account.ts';
import type { Exchange } from './exchange.ts';
import { stateOf } from './stateOf.ts';

export type ReferralTerms = Readonly<TermsState>;

export type ReferralFigures = {
  /** Empty when it has none. */
  readonly code: string;
  /** The code to which it is bound; empty when it is bound to none. */
  readonly boundCode: string;
  readonly referees: number;
  /** What it may claim. */
  readonly accrued: Money;
  readonly claimed: Money;
};

export function referralOf(exchange: Exchange, account: Account): ReferralFigures {
  const { accounts } = stateOf.exchange(exchange);
  const { referral } = stateOf.account(account);
  const none = { code: '', referees: 0, accrued: 0 as Money, claimed: 0 as Money };
  if (referral === null) return { ...none, boundCode: '' };
  const { code, referees, accrued, claimed } = referral;
  const boundCode = accounts[referral.referrer]!.referral?.code ?? '';
  return { code, boundCode, referees, accrued, claimed };
}

export function referralTermsOf(exchange: Exchange): ReferralTerms {
  return stateOf.exchange(exchange).referralTerms;
}

/** The number of codes. */
export function referralCodesOf(exchange: Exchange): number {
  return stateOf.exchange(exchange).referralCodes.size;
}

/** 4 to 16 capital letters and digits. */
export function isReferralCode(text: string): boolean {
  return isCode(text);
}
