// The commands about a vault (VLT-1 … VLT-5). What has happened on the chain is a fact that the
// chain service brings from a final block; the engine believes it as far as it can be true.

import type { Money, OrderId, Time } from '../units/units.ts';
import type { VaultBinding } from './vaultLedger.ts';

/** Binds the log to a vault for ever; before the first deposit. */
export type BindVault = VaultBinding & {
  readonly kind: 'bindVault';
  /** The chain of the contract. */
  readonly chainId: number;
};

/** The vault has taken a deposit, the one behind the last that was counted. */
export type CreditDeposit = {
  readonly kind: 'creditDeposit';
  readonly index: number;
  /** The wallet that gets it; the vault's own address is the insurance fund. */
  readonly address: string;
  readonly units: Money;
  /** The hash of all deposits up to this one. */
  readonly hash: string;
};

/**
 * What the vault says of a withdrawal in a final block. `none`: it does not know the id. `sent` is
 * no fact of the chain: signers are about to be asked. The place is the number on the disk: append,
 * never reorder.
 */
export const withdrawalFacts = ['sent', 'queued', 'paid', 'failed', 'cancelled', 'none'] as const;

export type ReportWithdrawal = {
  readonly kind: 'reportWithdrawal';
  readonly id: OrderId;
  readonly createdAt: Time;
  readonly fact: (typeof withdrawalFacts)[number];
  /** The time of that block in seconds; 0 with `sent`. */
  readonly blockTime: number;
};

/** The least withdrawal, and its fee, from the next request on (VLT-5). */
export type SetWithdrawalTerms = {
  readonly kind: 'setWithdrawalTerms';
  readonly min: Money;
  readonly fee: Money;
};

export type VaultCommand = BindVault | CreditDeposit | ReportWithdrawal | SetWithdrawalTerms;
