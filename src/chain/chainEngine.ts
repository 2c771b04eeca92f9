// What the chain service asks of the engine and gives to it. All that it reads is durable: a
// payment for a withdrawal that a crash can undo would be a payment for nothing.

import type { Hex } from 'viem';

/** A withdrawal that has not ended; units of 1e-6, the deadline in seconds of the chain. */
export type OpenWithdrawal = {
  readonly id: Hex;
  readonly to: Hex;
  readonly units: bigint;
  readonly deadline: bigint;
  readonly state: 'requested' | 'sent' | 'queued';
};

/** What the engine knows of its vault at one moment. */
export type EngineView = {
  readonly depositCount: bigint;
  readonly depositsHash: Hex;
  /** The units of all deposits that it has counted. */
  readonly depositTotal: bigint;
  /** The units of all withdrawals that it has completed. */
  readonly completedTotal: bigint;
  readonly openCount: number;
  /** The part that was asked for, oldest first. */
  readonly open: readonly OpenWithdrawal[];
};

/** A part of the open withdrawals: the place of its first one, and how many at most. */
export type OpenPart = { readonly from: number; readonly count: number };

/** A deposit with its place, and the hash of all deposits up to it. */
export type DepositFact = {
  readonly kind: 'deposit';
  readonly index: bigint;
  readonly account: Hex;
  readonly units: bigint;
  readonly hash: Hex;
};

/**
 * What the vault says of a withdrawal. `none`: it does not know the id in a final block whose time
 * is past the deadline. `sent` is no fact of the chain: signers are about to be asked.
 */
export type WithdrawalFact = {
  readonly kind: 'withdrawal';
  readonly id: Hex;
  readonly fact: 'sent' | 'queued' | 'paid' | 'failed' | 'cancelled' | 'none';
  /** The time of the final block, in seconds; 0 with `sent`. */
  readonly blockTime: bigint;
};

/** A fact for the engine; each is a command of its log. */
export type ChainFact = DepositFact | WithdrawalFact;

/**
 * `known`: another service was quicker, nothing has changed. `refused`: for the engine it cannot be
 * true, and nothing has changed.
 */
export type FactResult = 'taken' | 'known' | 'refused';

export type ChainEngine = {
  readonly view: (part: OpenPart) => Promise<EngineView>;
  /** One result for each fact, in their order, when they are durable. */
  readonly submit: (facts: readonly ChainFact[]) => Promise<readonly FactResult[]>;
};
