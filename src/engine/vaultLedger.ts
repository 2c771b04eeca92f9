// What the engine knows of the contract that holds a deployment's money (VLT-1): which one it is,
// the deposits that it has counted, money that found no room, and the terms of withdrawals.
// Without a vault the operator credits accounts, and all of it is blank.

import type { AccountId, Money, Time } from '../units/units.ts';
import { noDeposits } from './depositHash.ts';

/** The vault that a log is bound to; texts are `0x` and hex digits in lower case. */
export type VaultBinding = {
  readonly address: string;
  readonly token: string;
  /** An amount of the token is 10^(tokenDecimals − 6) for each unit. */
  readonly tokenDecimals: number;
  /** The hash of the contract's code. */
  readonly codeHash: string;
  /** The block in which it was deployed. */
  readonly deployBlock: number;
};

export type VaultLedger = {
  /** null: the log has no vault. */
  binding: VaultBinding | null;
  /** The index of the last deposit, and the hash of all up to it (VLT-2). */
  depositCount: number;
  depositsHash: string;
  /** All deposits, parked ones too; bigint because of its size. */
  depositTotal: bigint;
  /** What found no room, by wallet, in the order in which it is tried again (VLT-3). */
  readonly parked: Map<string, bigint>;
  /** What found no place among the parked either. */
  unnamed: bigint;
  /**
   * What completed withdrawals have brought to the wallet of each account, less fees (VLT-8). A
   * log that completed some in an earlier format has less here than it has paid.
   */
  readonly paid: Map<AccountId, bigint>;
  /** The least amount of a withdrawal, and what is kept of it when it is completed (VLT-5). */
  withdrawalMin: Money;
  withdrawalFee: Money;
};

/** Names the vault that stands in the way. */
export const vaultBound = ({ address, deployBlock }: VaultBinding) =>
  ({ reason: 'vaultBound', address, deployBlock }) as const;

/** How far a withdrawal has come (VLT-4); the place is the number on the disk: append only. */
export const withdrawalStates = ['requested', 'sent', 'queued'] as const;
export type WithdrawalState = (typeof withdrawalStates)[number];

export function createVaultLedger(): VaultLedger {
  return {
    binding: null,
    depositCount: 0,
    depositsHash: noDeposits,
    depositTotal: 0n,
    parked: new Map(),
    unnamed: 0n,
    paid: new Map(),
    withdrawalMin: 1 as Money,
    withdrawalFee: 0 as Money,
  };
}

/** How long after its request a withdrawal may be sent, milliseconds. */
const payableMs = 86_400_000;

/**
 * The last second, of the chain's time, in which the vault may begin to pay: rounded down, so that
 * the vault's deadline is never after the exchange's.
 */
export function payableUntil(createdAt: Time): number {
  return Math.floor((createdAt + payableMs) / 1000);
}
