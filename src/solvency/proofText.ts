// A proof as the interface shows it (`GET /api/v1/proof/{address}`): two JSON objects. They are
// written by the thread that has the tree, because a text costs the trading thread less than the
// nodes of a proof, which it would have to take over from another thread and write itself.

import type { WalletProof } from './createTreeMaker.ts';
import type { TreeHead } from './tree.ts';

export type ProofText = {
  /** SHA-256 of the published file: 64 hex digits. */
  readonly fileHash: string;
  /** What the tree says of itself. */
  readonly tree: string;
  /** The leaf and the nodes beside its way; `null` when the tree has no leaf of the wallet. */
  readonly proof: string;
};

export function proofText({ head, fileHash, proof }: WalletProof): ProofText {
  return {
    fileHash,
    tree: JSON.stringify(treeRecord(head, fileHash)),
    proof: JSON.stringify(proof && proofRecord(proof)),
  };
}

const hex = (digits: string): string => `0x${digits}`;

const treeRecord = (head: TreeHead, fileHash: string): object => ({
  chain_id: head.chainId,
  vault: head.vault,
  hash: hex(fileHash),
  root: hex(head.root),
  sum: String(head.sum),
  leaves: head.leaves,
  deposit_count: head.depositCount,
  withdrawn: String(head.withdrawn),
  deficit: String(head.deficit),
  log_position: head.position,
  log_hash: hex(head.batchHash),
  time: head.time,
});

const proofRecord = ({ leaf, siblings }: NonNullable<WalletProof['proof']>): object => ({
  account: hex(Buffer.from(leaf.account).toString('hex')),
  units: String(leaf.units),
  withdrawn: String(leaf.withdrawn),
  siblings: siblings.map(({ hash, sum, onLeft }) => ({
    hash: hex(Buffer.from(hash).toString('hex')),
    sum: String(sum),
    on_left: onLeft,
  })),
});
