// Compares published trees and the anchors of a vault with what a replay of the log makes at the
// same places (VLT-8). It asks no chain. Only trees that a file or an anchor names are made. A
// right tree may be of any batch: the interval is a setting, and may have been another one.

import { claimOfAnchor } from '../chain/anchor/anchorOf.ts';
import type { Anchor } from '../chain/vaultTypes.ts';
import { liabilitiesOf } from '../engine/views/liabilities.ts';
import { vaultOf } from '../engine/views/vault.ts';
import type { ReplicaState } from '../replica/replicaState.ts';
import { claimDifferences } from '../solvency/claimDifferences.ts';
import { claimOf, type TreeClaim, tooLargeText } from '../solvency/createTreeMaker.ts';
import { growTree } from '../solvency/tree.ts';
import { TreeDamaged } from '../solvency/treeDamaged.ts';
import { readTree, type TreeDirectory, writeTree } from '../solvency/writeTree.ts';
import { finish } from '../std/finish.ts';

/** What a vault has; undefined: no chain was asked. */
export type ChainAnchors = { readonly vault: string; readonly anchors: readonly Anchor[] };

export type AnchorClaims = {
  readonly chainId: number;
  readonly files: TreeDirectory;
  /** The places in the log of the files, listed after the anchors were read. */
  readonly filed: readonly number[];
  readonly chain: ChainAnchors | undefined;
};

/** Of a file the epoch is null. */
export type WrongTree = {
  readonly position: number;
  readonly epoch: number | null;
  readonly why: string;
};

export type AnchorFindings = {
  readonly ok: boolean;
  readonly files: number;
  /** null: no chain was asked. */
  readonly anchors: number | null;
  /** The batch of the last right anchor; 0: there is none. */
  readonly anchored_to: number;
  /** At most a hundred; `wrong_count` counts all. */
  readonly wrong: readonly WrongTree[];
  readonly wrong_count: number;
  /** The anchors are of a vault that is not the log's, or the file of the last one is missing. */
  readonly why?: string;
};

export type AnchorCheck = {
  /** To be called before the first batch and after every one, with the hash of the last batch. */
  readonly endBatch: (batchHash: string) => void;
  readonly findings: () => AnchorFindings;
};

/** What is claimed of a place in the log. */
type Claimed = { isFile: boolean; readonly anchors: Anchor[] };

const shownMax = 100;

/** Cost: a tree over all accounts for each place that is claimed. */
export function createAnchorCheck(
  state: ReplicaState,
  { chainId, files, filed, chain }: AnchorClaims,
): AnchorCheck {
  const claimed = new Map<number, Claimed>();
  const claimedAt = (position: number): Claimed => {
    const found = claimed.get(position) ?? { isFile: false, anchors: [] };
    claimed.set(position, found);
    return found;
  };
  for (const position of filed) claimedAt(position).isFile = true;
  for (const anchor of chain?.anchors ?? []) claimedAt(placeOf(anchor)).anchors.push(anchor);
  const wrong: WrongTree[] = [];
  let anchoredTo = 0;
  const judge = (position: number, found: Claimed, own: TreeClaim | string): void => {
    const why = found.isFile ? judgeFile(files, position, own) : undefined;
    if (why !== undefined) wrong.push({ position, epoch: null, why });
    for (const anchor of found.anchors) {
      const differs = typeof own === 'string' ? own : differenceOf(claimOfAnchor(anchor), own);
      if (differs === undefined) anchoredTo = Math.max(anchoredTo, position);
      else wrong.push({ position, epoch: Number(anchor.epoch), why: differs });
    }
    claimed.delete(position);
  };
  return {
    endBatch: (batchHash) => {
      const found = claimed.get(state.position);
      if (found !== undefined) judge(state.position, found, makeTree(state, chainId, batchHash));
    },
    findings: () => {
      const beyond = `the log ends at batch ${state.position}`;
      for (const [position, found] of [...claimed]) judge(position, found, beyond);
      const why = chain && problemOf(state, chain, filed);
      return {
        ok: wrong.length === 0 && why === undefined,
        files: filed.length,
        anchors: chain?.anchors.length ?? null,
        anchored_to: anchoredTo,
        wrong: wrong.slice(0, shownMax),
        wrong_count: wrong.length,
        ...(why !== undefined && { why }),
      };
    },
  };
}

/** No log reaches so far, whatever a stolen key has anchored. */
const placeOf = ({ logPosition }: Anchor): number =>
  Math.min(Number(logPosition), Number.MAX_SAFE_INTEGER);

/** As a sentence: why the log has none there. */
function makeTree(state: ReplicaState, chainId: number, batchHash: string): TreeClaim | string {
  const { exchange, position, time } = state;
  const binding = vaultOf(exchange);
  try {
    const owed = finish(liabilitiesOf(exchange));
    if (binding === undefined || owed === undefined) return 'the log has no tree there';
    if (owed === 'tooLarge') return `the log gives no tree there: ${tooLargeText}`;
    const place = { chainId, vault: binding.address, position, batchHash, time };
    return claimOf(finish(writeTree(undefined, finish(growTree(place, owed)))));
  } catch (error) {
    return `the log gives no tree there: ${(error as Error).message}`;
  }
}

function differenceOf(claim: TreeClaim, own: TreeClaim): string | undefined {
  const differences = claimDifferences(claim, own);
  return differences.length === 0 ? undefined : differences.join('; ');
}

/** Undefined: the file has the bytes that the log gives. */
function judgeFile(
  files: TreeDirectory,
  position: number,
  own: TreeClaim | string,
): string | undefined {
  try {
    const found = claimOf(finish(readTree(files, position)));
    return typeof own === 'string' ? own : differenceOf(found, own);
  } catch (error) {
    if (error instanceof TreeDamaged) return `it is damaged: ${error.message}`;
    // An exchange that runs beside removes old ones.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Users leave by the file of the last anchor. */
function problemOf(
  { exchange }: ReplicaState,
  { vault, anchors }: ChainAnchors,
  filed: readonly number[],
): string | undefined {
  const bound = vaultOf(exchange)?.address;
  if (vault !== bound) return `the log is bound to ${bound ?? 'no vault'}, not to ${vault}`;
  const last = anchors.at(-1);
  if (last === undefined || filed.includes(placeOf(last))) return undefined;
  return `the file of the last anchor, of batch ${last.logPosition}, is missing`;
}
