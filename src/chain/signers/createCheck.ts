// What a signer checks before it signs, of every kind that it may be asked for.

import type { TreeClaim, TreeJudgement } from '../../solvency/createTreeMaker.ts';
import { type BatchCheckOptions, type BatchReplica, createBatchCheck } from './checkBatch.ts';
import { type AnchorStore, createAnchorCheck } from './createAnchorCheck.ts';
import type { CheckAsked } from './signer.ts';

/** The signer's own view of the exchange. */
export type SignerReplica = BatchReplica & {
  /** Of the trees that it makes (VLT-8). */
  readonly judgeTree: (claim: TreeClaim) => Promise<TreeJudgement>;
};

export type CheckOptions = BatchCheckOptions & {
  readonly replica: SignerReplica;
  readonly anchors: AnchorStore;
  /** Of a stretch of trees, seconds. */
  readonly interval: bigint;
};

export function createCheck(options: CheckOptions): CheckAsked {
  const checkBatch = createBatchCheck(options);
  const checkAnchor = createAnchorCheck({ ...options, store: options.anchors });
  return (asked, now) =>
    asked.action === 'anchor' ? checkAnchor(asked.anchor, now) : checkBatch(asked.payments, now);
}
