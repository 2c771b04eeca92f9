// What a signer checks before it signs an anchor (VLT-8): its own replica has made the same tree at
// the same place of its log, no later one was signed, and the number is near the last one. Else who
// can ask it today could collect signatures of old trees for numbers of years to come.

import { claimOfAnchor } from '../anchor/anchorOf.ts';
import type { Anchor } from '../vaultTypes.ts';
import type { SignerReplica } from './createCheck.ts';
import { NotSigned } from './signer.ts';

/** The highest number and place that were signed, and when the number was; seconds. */
export type SignedAnchor = {
  readonly epoch: bigint;
  readonly position: bigint;
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
    if (last !== undefined) checkOrder(anchor, last, { now, interval });
    if (epoch <= (last?.epoch ?? -1n) && position === last?.position) return;
    const isHigher = last === undefined || epoch > last.epoch;
    const next = isHigher ? { epoch, position, at: now } : { ...last!, position };
    store.save(next);
    last = next;
  };
}

function checkOrder(
  { epoch, logPosition }: Anchor,
  last: SignedAnchor,
  { now, interval }: { readonly now: bigint; readonly interval: bigint },
): void {
  if (logPosition < last.position) {
    throw new NotSigned('anchorEarlier', `it has signed the tree of batch ${last.position}`);
  }
  const stretches = now > last.at ? (now - last.at) / interval : 0n;
  const most = last.epoch + epochsPerStretch * (1n + stretches);
  if (epoch > most) throw new NotSigned('anchorAhead', `now it signs anchors up to number ${most}`);
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
