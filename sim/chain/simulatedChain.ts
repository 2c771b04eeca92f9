// A chain that a seed drives: blocks with the vault's storage, a pool of transactions, and
// reorganisations. Blocks deeper than the depth of finality stay, unless a test goes beyond it. It
// knows neither nodes nor the service.

import type { Hex } from 'viem';
import { emptyVault, type VaultState } from './simulatedVault.ts';

export type Block = {
  readonly number: bigint;
  readonly hash: Hex;
  readonly time: bigint;
  readonly parent: Block | undefined;
  readonly vault: VaultState;
  /** The next nonce of the gas account. */
  readonly nonce: number;
  readonly transactions: readonly Transaction[];
};

/** Throws when it reverts; the transaction is in its block all the same. */
type Effect = (vault: VaultState, time: bigint) => VaultState;

export type Transaction = {
  readonly effect: Effect;
  /** Of the gas account; other senders are as many as there are transactions. */
  readonly gas?: { readonly nonce: number; readonly maxFee: bigint };
};

export const finalDepth = 6n;

export type SimulatedChain = {
  readonly head: () => Block;
  /** The block that no reorganisation within the depth can remove. */
  readonly final: () => Block;
  /** Throws when the pool refuses it. */
  readonly add: (transaction: Transaction) => void;
  readonly setBaseFee: (fee: bigint) => void;
  readonly baseFee: () => bigint;
  /** A block of the pool's transactions for which `includes` says yes. */
  readonly mine: (seconds: bigint, includes: () => boolean) => void;
  /** Takes blocks away; `keeps` says which of their transactions return to the pool. */
  readonly rewind: (depth: number, keeps: () => boolean) => void;
};

export const ancestorAt = (block: Block, number: bigint): Block | undefined => {
  let found: Block | undefined = block;
  while (found !== undefined && found.number > number) found = found.parent;
  return found;
};

export function createSimulatedChain(): SimulatedChain {
  let made = 0;
  const hash = (): Hex => {
    made += 1;
    return `0x${made.toString(16).padStart(64, '0')}`;
  };
  let head: Block = {
    number: 0n,
    hash: hash(),
    time: 1_800_000_000n,
    parent: undefined,
    vault: emptyVault,
    nonce: 0,
    transactions: [],
  };
  let finalNumber = 0n;
  let pool: Transaction[] = [];
  let baseFee = 10n;

  /** In the order of nonces; the others stay in the pool. */
  const choose = (includes: () => boolean): Transaction[] => {
    const others = pool.filter(({ gas }) => gas === undefined && includes());
    const own: Transaction[] = [];
    for (let nonce = head.nonce; ; nonce += 1) {
      const next = pool.find((each) => each.gas?.nonce === nonce);
      if (next === undefined || next.gas!.maxFee < baseFee || !includes()) break;
      own.push(next);
    }
    return [...others, ...own];
  };
  const add = (transaction: Transaction): void => {
    const { gas } = transaction;
    if (gas !== undefined) {
      if (gas.nonce < head.nonce) throw new Error('nonce too low');
      const same = pool.find((each) => each.gas?.nonce === gas.nonce);
      if (same && 10n * gas.maxFee < 11n * same.gas!.maxFee) throw new Error('underpriced');
      pool = pool.filter((each) => each !== same);
    }
    pool.push(transaction);
  };
  return {
    add,
    head: () => head,
    final: () => ancestorAt(head, finalNumber)!,
    baseFee: () => baseFee,
    setBaseFee: (fee) => {
      baseFee = fee;
    },
    mine: (seconds, includes) => {
      const transactions = choose(includes);
      const time = head.time + seconds;
      let { vault } = head;
      for (const { effect } of transactions) {
        try {
          vault = effect(vault, time);
        } catch {
          // Reverted: it costs gas and changes nothing.
        }
      }
      const nonce = head.nonce + transactions.filter(({ gas }) => gas !== undefined).length;
      head = {
        number: head.number + 1n,
        hash: hash(),
        time,
        parent: head,
        vault,
        nonce,
        transactions,
      };
      pool = pool.filter(
        (each) => !transactions.includes(each) && (each.gas?.nonce ?? nonce) >= nonce,
      );
      if (head.number - finalDepth > finalNumber) finalNumber = head.number - finalDepth;
    },
    rewind: (depth, keeps) => {
      for (let left = depth; left > 0 && head.parent !== undefined; left -= 1) {
        const removed = head.transactions;
        head = head.parent;
        for (const transaction of removed) if (keeps()) readd(add, transaction);
      }
    },
  };
}

/** A younger transaction of the same nonce may be in the pool: it stays. */
function readd(add: (transaction: Transaction) => void, transaction: Transaction): void {
  try {
    add(transaction);
  } catch {
    // The pool has a better one.
  }
}
