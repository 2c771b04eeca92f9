// What a signer checks before it signs, of every kind that it may be asked for.

import type { TreeClaim, TreeJudgement } from '../../solvency/createTreeMaker.ts';
import { checkAnchor } from './checkAnchor.ts';
import { type BatchCheckOptions, type BatchReplica, createBatchCheck } from './checkBatch.ts';
import type { CheckAsked } from './signer.ts';

/** The signer's own view of the exchange. */
export type SignerReplica = BatchReplica & {
  /** Of the trees that it makes (VLT-8). */
  readonly judgeTree: (claim: TreeClaim) => Promise<TreeJudgement>;
};

export type CheckOptions = BatchCheckOptions & { readonly replica: SignerReplica };

export function createCheck(options: CheckOptions): CheckAsked {
  const checkBatch = createBatchCheck(options);
  return (asked, now) =>
    asked.action === 'anchor'
      ? checkAnchor(options.replica, asked.anchor)
      : checkBatch(asked.payments, now);
}
