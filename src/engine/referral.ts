// Referral (NAT-4): the operator's terms, and an account's part in it: its code, its referrer, and
// what it has earned by the fees of its referees. Other files decide when something accrues.

import { must } from '../std/assert.ts';
import type { AccountId, Money, Rate } from '../units/units.ts';
import type { Account } from './account.ts';
import type { Exchange } from './exchange.ts';
import { insuranceAccount } from './marginModes.ts';

export type ReferralTerms = {
  /**
   * Whether codes are made and bound, fees reduced and shares accrued. A claim is always possible.
   */
  readonly enabled: boolean;
  /** The part of its fees that a referee does not pay. */
  readonly discount: Rate;
  /** The part of a referee's net fees that its referrer earns. */
  readonly share: Rate;
};

/** 4 % for the referee, 10 % for the referrer. */
export const defaultReferralTerms: ReferralTerms = {
  enabled: true,
  discount: 4_000_000 as Rate,
  share: 10_000_000 as Rate,
};

/** Only of accounts that have a code or a referrer. */
export type Referral = {
  /** By which others are bound to it; empty when it has none. Never changes once it is set. */
  code: string;
  /** The fund's number when it has none. Never changes once it is set. */
  referrer: AccountId;
  /** What has accrued and is not claimed yet: a part of the fund `referralPayable` (BAL-2). */
  accrued: Money;
  /** Everything that was claimed so far. */
  claimed: Money;
  /** The UTC day, since the epoch, on which something accrued last, and what accrued on it. */
  day: number;
  today: Money;
  /** The number of its referees. Counted from their records. */
  referees: number;
  epoch: number;
};

export function createReferral(): Referral {
  return {
    code: '',
    referrer: insuranceAccount,
    accrued: 0 as Money,
    claimed: 0 as Money,
    day: 0,
    today: 0 as Money,
    referees: 0,
    epoch: 0,
  };
}

/** Whether an account has a code: then others may be bound to it. */
export function hasReferralCode({ referral }: Account): boolean {
  return referral !== null && referral.code !== '';
}

/** Whether an account is bound to a code, under any terms. */
export function isBound({ referral }: Account): boolean {
  return referral !== null && referral.referrer !== insuranceAccount;
}

/** Counts a bound account of the state among the referees of its referrer. */
export function countReferee({ accounts }: Exchange, account: Account, by: 1 | -1): void {
  if (!isBound(account)) return;
  const owner = accounts[account.referral!.referrer]?.referral;
  must(owner, 'a referrer has a code').referees += by;
}

/** 4 to 16 capital letters and digits. */
export function isReferralCode(text: string): boolean {
  return /^[A-Z0-9]{4,16}$/.test(text);
}
