// What a signer checks before it signs an anchor (VLT-8): its own replica has made the same tree at
// the same place of its log.

import { claimOfAnchor } from '../anchor/anchorOf.ts';
import type { Anchor } from '../vaultTypes.ts';
import type { SignerReplica } from './createCheck.ts';
import { NotSigned } from './signer.ts';

/** Rejects with `NotSigned` when it must not be signed. */
export async function checkAnchor(replica: SignerReplica, anchor: Anchor): Promise<void> {
  const judgement = await replica.judgeTree(claimOfAnchor(anchor));
  if (judgement === 'right') return;
  const detail = `the tree of batch ${anchor.logPosition}`;
  if (judgement === 'ahead' || judgement === 'later') {
    throw new NotSigned('behind', `${detail} is not made here yet`);
  }
  throw new NotSigned('anchorDiffers', `${detail} is not one that this replica has made`);
}
