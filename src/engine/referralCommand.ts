// The commands of referral (NAT-4).

import type { AccountId } from '../units/units.ts';
import type { ReferralTerms } from './referral.ts';

/** Gives an account the code by which others are bound to it, once (NAT-4). */
export type SetReferralCode = {
  readonly kind: 'setReferralCode';
  readonly account: AccountId;
  readonly code: string;
};

/** Binds an account to the owner of a code, once and before its first trade (NAT-4). */
export type BindReferral = {
  readonly kind: 'bindReferral';
  readonly account: AccountId;
  readonly code: string;
};

/** Moves everything that has accrued for an account into its available money (NAT-4). */
export type ClaimReferral = { readonly kind: 'claimReferral'; readonly account: AccountId };

/** The operator's terms for every binding, present and later (NAT-4). */
export type SetReferralTerms = {
  readonly kind: 'setReferralTerms';
  readonly terms: ReferralTerms;
};

export type ReferralCommand = SetReferralCode | BindReferral | ClaimReferral | SetReferralTerms;
