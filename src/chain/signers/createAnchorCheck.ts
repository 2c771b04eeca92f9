// What a signer checks before it signs an anchor (VLT-8): its own replica has made the same tree at
// the same place of its log, no later one was signed, and the number is near the last one. Else who
// can ask it today could collect signatures of old trees for numbers of years to come.

import { claimOfAnchor } from '../anchor/anchorOf.ts';
import type { Anchor } from '../vaultTypes.ts';
import type { SignerReplica } from './createCheck.ts';
import { NotSigned } from './signer.ts';

/** What was signed so far. */
export type SignedAnchor = {
  /** The highest number, and the highest place. */
  readonly epoch: bigint;
  readonly position: bigint;
  /** By how much the number may rise, at this time in seconds; more with each stretch after it. */
  readonly room: bigint;
  readonly at: bigint;
};

/** Where a signer keeps it, so that a restart allows no more. */
export type AnchorStore = {
  readonly load: () => SignedAnchor | undefined;
  /** Durable when it returns; throws otherwise. */
  readonly save: (signed: SignedAnchor) => void;
};

export type AnchorCheckOptions = {
  readonly replica: Pick<SignerReplica, 'judgeTree'>;
  readonly store: AnchorStore;
  /** Of a stretch, seconds. */
  readonly interval: bigint;
};

/** Numbers that may pass in a stretch: a forged anchor is followed by a right one. */
const epochsPerStretch = 4n;

/** Rejects with `NotSigned` when it must not be signed. */
export type CheckAnchor = (anchor: Anchor, now: bigint) => Promise<void>;

export function createAnchorCheck({ replica, store, interval }: AnchorCheckOptions): CheckAnchor {
  let last = store.load();
  return async (anchor, now) => {
    await checkTree(replica, anchor);
    // From here on nothing is awaited, so that two requests do not share one allowance.
    const { epoch, logPosition: position } = anchor;
    const next =
      last === undefined
        ? { epoch, position, room: epochsPerStretch, at: now }
        : nextAfter(last, anchor, { now, interval });
    if (next === last) return;
    store.save(next);
    last = next;
  };
}

/** What is signed repeatedly uses up the same room. */
function nextAfter(
  last: SignedAnchor,
  { epoch, logPosition: position }: Anchor,
  { now, interval }: { readonly now: bigint; readonly interval: bigint },
): SignedAnchor {
  if (position < last.position) {
    throw new NotSigned('anchorEarlier', `it has signed the tree of batch ${last.position}`);
  }
  if (epoch <= last.epoch) return position === last.position ? last : { ...last, position };
  const stretches = now > last.at ? (now - last.at) / interval : 0n;
  const most = last.epoch + last.room + epochsPerStretch * stretches;
  if (epoch > most) throw new NotSigned('anchorAhead', `now it signs anchors up to number ${most}`);
  const left = most - epoch;
  const room = left < epochsPerStretch ? left : epochsPerStretch;
  return { epoch, position, room, at: last.at + stretches * interval };
}

async function checkTree(
  { judgeTree }: AnchorCheckOptions['replica'],
  anchor: Anchor,
): Promise<void> {
  const judgement = await judgeTree(claimOfAnchor(anchor));
  if (judgement === 'right') return;
  const detail = `the tree of batch ${anchor.logPosition}`;
  if (judgement === 'ahead' || judgement === 'later') {
    throw new NotSigned('behind', `${detail} is not made here yet`);
  }
  throw new NotSigned('anchorDiffers', `${detail} is not one that this replica has made`);
}
