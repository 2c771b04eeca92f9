// What the chain shows of deposits and withdrawals beside the facts that count: in which
// transaction each was, and the terms of the vault. It is shown and decides nothing: logs of nodes
// may be empty, late or false (docs/decisions/0020-the-money-on-chain.md).

import type { Hex } from 'viem';

/** Where something is on the chain: in a transaction of a final block. */
export type ChainPlace = { readonly transaction: Hex; readonly block: number };

export type DepositPlace = ChainPlace & { readonly kind: 'deposit'; readonly index: number };

export type WithdrawalPlace = ChainPlace & {
  readonly kind: 'withdrawal';
  readonly id: Hex;
  readonly event: 'paid' | 'failed' | 'queued' | 'cancelled';
  /** When the vault may pay it, seconds; null unless it was queued. */
  readonly readyAt: number | null;
};

export type VaultPlaceOf = DepositPlace | WithdrawalPlace;

/** What the vault takes and pays at once; units of 1e-6. They hold at the block. */
export type VaultTerms = {
  readonly block: number;
  readonly minimumDeposit: bigint;
  readonly instantMax: bigint;
  readonly bucketCapacity: bigint;
  /** What of the bucket could be paid at once. */
  readonly bucketLevel: bigint;
  /** Seconds. */
  readonly queueDelay: number;
};

/** Blocks from `first` to `last`, both included. */
export type BlockRange = { readonly first: bigint; readonly last: bigint };

/** A final block, by number and hash. */
export type KnownBlock = { readonly number: bigint; readonly hash: Hex };

/** A node as it is asked for what is shown. Every call rejects without a good answer. */
export type LookupNode = {
  /** Rejects when the node does not have the block. In the order of the chain. */
  readonly places: (block: KnownBlock, range: BlockRange) => Promise<readonly VaultPlaceOf[]>;
  readonly terms: (block: KnownBlock) => Promise<VaultTerms>;
};

/** What was found since the last look. */
export type LookedUp = {
  readonly places: readonly VaultPlaceOf[];
  /** undefined: not asked, or no two nodes agree. */
  readonly terms: VaultTerms | undefined;
};
