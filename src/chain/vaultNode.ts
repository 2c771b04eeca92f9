// One RPC node, as the chain service asks it about the vault, and what it answers. An answer may be
// late, missing or false: service/askQuorum.ts says when it counts. Addresses are in lower case.

import type { Hex } from 'viem';
import type { BlockWindow, KeeperState, Report } from './report/report.ts';
import type { Anchor, Payment } from './vaultTypes.ts';

/** What shows that a node serves the right chain and the right contract. */
export type NodeIdentity = { readonly chainId: number; readonly codeHash: Hex };

/** The newest block of a node, and the newest that it calls final. */
export type Heads = { readonly latest: bigint; readonly finalized: bigint };

/** A block and what the vault's storage says there. */
export type Observation = {
  readonly number: bigint;
  readonly hash: Hex;
  /** Seconds. */
  readonly time: bigint;
  readonly depositCount: bigint;
  readonly depositsHash: Hex;
  /** All that the vault has paid out before an exit, in units. */
  readonly paidTotal: bigint;
  /** Its balance of the token, in units, rounded down. */
  readonly held: bigint;
  readonly isPaused: boolean;
  readonly isExitOpen: boolean;
};

/** `depositOf[index]`: its account, and the units of all deposits up to it. */
export type DepositSlot = { readonly account: Hex; readonly cumulative: bigint };

/** In the order of the contract's enumeration. */
export const paymentStates = ['none', 'paid', 'failed', 'queued', 'cancelled'] as const;
export type PaymentState = (typeof paymentStates)[number];

/** Ids that one request of a node has at most. */
export const idsPerReadMax = 250;

/** What the vault knows of an id. */
export type PaymentRecord = {
  readonly to: Hex;
  readonly units: bigint;
  readonly state: PaymentState;
};

/** When a queued payment may be paid, and whether its queue was voided, so that it never is. */
export type QueuePlace = { readonly readyAt: bigint; readonly isVoid: boolean };

/** Whose signatures count, and how many are needed. */
export type SignerSet = { readonly signers: readonly Hex[]; readonly threshold: number };

/** The gas account at the node's newest block, and what a transaction costs there. */
export type GasState = {
  readonly nonce: number;
  /** All in the chain's smallest unit. */
  readonly balance: bigint;
  readonly baseFee: bigint;
  readonly tip: bigint;
  /** Number and time of that block; seconds. */
  readonly block: bigint;
  readonly time: bigint;
};

/** All zero while there is none. */
export type LastAnchor = {
  readonly anchor: Anchor;
  /** Seconds. */
  readonly acceptedAt: bigint;
  /** So long after it anyone may open the exit; seconds. */
  readonly silence: bigint;
};

/** What the service sends to the vault. */
export type VaultCall =
  | {
      readonly kind: 'pay';
      readonly payments: readonly Payment[];
      readonly signatures: readonly Hex[];
    }
  | { readonly kind: 'payQueued'; readonly ids: readonly Hex[] }
  | { readonly kind: 'cancelVoided'; readonly ids: readonly Hex[] }
  | { readonly kind: 'report'; readonly report: Report }
  | {
      readonly kind: 'anchor';
      readonly anchor: Anchor;
      readonly signatures: readonly Hex[];
    };

/** Every call rejects when the node has no good answer within its time. */
export type VaultNode = {
  readonly name: string;
  readonly identify: () => Promise<NodeIdentity>;
  readonly heads: () => Promise<Heads>;
  readonly observe: (number: bigint) => Promise<Observation>;
  /** Slots from `first` on, in the block with this hash; index 0 is none, with a sum of 0. */
  readonly deposits: (block: Hex, first: bigint, count: number) => Promise<readonly DepositSlot[]>;
  /** One record for each id, in their order. */
  readonly payments: (
    block: Hex | 'latest',
    ids: readonly Hex[],
  ) => Promise<readonly PaymentRecord[]>;
  readonly places: (block: Hex, ids: readonly Hex[]) => Promise<readonly QueuePlace[]>;
  readonly signerSet: (block: Hex) => Promise<SignerSet>;
  readonly lastAnchor: (block: Hex | 'latest') => Promise<LastAnchor>;
  readonly keeper: (block: Hex | 'latest', account: Hex) => Promise<KeeperState>;
  /** The report with this number, if it came in these blocks; rejects when they are not there. */
  readonly report: (sequence: bigint, window: BlockWindow) => Promise<Report | null>;
  readonly gasState: (account: Hex) => Promise<GasState>;
  /** The gas that a call needs at the newest block; rejects when it would revert. */
  readonly estimateGas: (from: Hex, call: VaultCall) => Promise<bigint>;
  readonly send: (transaction: Hex) => Promise<void>;
};
