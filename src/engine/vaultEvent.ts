// The events about a vault (VLT-1 … VLT-5). Money that reaches an account or the fund, and the end
// of a withdrawal, have the events that they have without a vault (event.ts).

import type { AccountId, Money, OrderId } from '../units/units.ts';
import type { VaultBinding, WithdrawalState } from './vaultLedger.ts';

export type VaultBound = { readonly kind: 'vaultBound'; readonly binding: VaultBinding };

/** A deposit, or the rest of one, found no room and waits (VLT-3). */
export type DepositParked = {
  readonly kind: 'depositParked';
  readonly address: string;
  /** The index of the deposit. */
  readonly index: number;
  readonly amount: Money;
};

export type WithdrawalAdvanced = {
  readonly kind: 'withdrawalAdvanced';
  readonly id: OrderId;
  readonly account: AccountId;
  readonly state: WithdrawalState;
};

export type WithdrawalTermsSet = {
  readonly kind: 'withdrawalTermsSet';
  readonly min: Money;
  readonly fee: Money;
};

export type VaultEvent = VaultBound | DepositParked | WithdrawalAdvanced | WithdrawalTermsSet;
