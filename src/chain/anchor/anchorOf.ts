// An anchor of the vault and a tree of the log say the same in two forms (VLT-8).

import type { Hex } from 'viem';
import type { TreeClaim } from '../../solvency/createTreeMaker.ts';
import type { Anchor } from '../vaultTypes.ts';

export function anchorOf(claim: TreeClaim, epoch: bigint): Anchor {
  return {
    epoch,
    root: `0x${claim.root}`,
    sum: claim.sum,
    deficit: claim.deficit,
    leaves: BigInt(claim.leaves),
    depositCount: BigInt(claim.depositCount),
    withdrawn: claim.withdrawn,
    logPosition: BigInt(claim.position),
    logHash: `0x${claim.batchHash}`,
    treeHash: `0x${claim.fileHash}`,
  };
}

/** Places and counts that no log can have stay larger than those of all logs. */
export function claimOfAnchor(anchor: Anchor): TreeClaim {
  return {
    position: Number(anchor.logPosition),
    batchHash: digitsOf(anchor.logHash),
    root: digitsOf(anchor.root),
    sum: anchor.sum,
    deficit: anchor.deficit,
    leaves: Number(anchor.leaves),
    depositCount: Number(anchor.depositCount),
    withdrawn: anchor.withdrawn,
    fileHash: digitsOf(anchor.treeHash),
  };
}

const digitsOf = (hash: Hex): string => hash.slice(2);
