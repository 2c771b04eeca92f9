// Whether the vault needs a new anchor, and which (VLT-8): it has none, an older one, or one that
// the log contradicts. All of it follows from final blocks and the log; what is remembered are
// hints, and a start without them does no harm.

import type { TreeClaim, TreeJudgement } from '../../solvency/createTreeMaker.ts';
import type { Alarm } from '../service/alarm.ts';
import { askEach, askQuorum, reachedByQuorum } from '../service/askQuorum.ts';
import type { Observation, VaultNode } from '../vaultNode.ts';
import type { Anchor } from '../vaultTypes.ts';
import { anchorOf, claimOfAnchor } from './anchorOf.ts';

/** Who makes trees of the log. */
export type AnchorSource = {
  /** undefined: this replica has made none yet. */
  readonly newestTree: () => Promise<TreeClaim | undefined>;
  readonly judgeTree: (claim: TreeClaim) => Promise<TreeJudgement>;
};

/** The last anchor in a final block; epoch 0: there is none. */
export type AnchorStanding = {
  readonly epoch: number;
  /** Its batch of the log. */
  readonly position: number;
  /** When the vault has accepted it; seconds. */
  readonly acceptedAt: number;
  readonly treeHash: string;
  /** false: the log contradicts it. */
  readonly isOfLog: boolean;
};

export type AnchorMemory = {
  standing: AnchorStanding | undefined;
  /** The newest tree at the last look that found nothing to send. */
  settled: number | undefined;
  /** The earliest of the next look without a new tree, by the time of the block; seconds. */
  lookFrom: bigint;
  /** Since when one is to be sent. */
  dueSince: bigint | undefined;
  /** Before this time of a block the signers are not asked again. */
  askFrom: bigint;
};

export const createAnchorMemory = (): AnchorMemory => ({
  ...{ standing: undefined, settled: undefined, lookFrom: 0n, dueSince: undefined },
  askFrom: 0n,
});

export type AnchorChance = {
  readonly source: AnchorSource;
  readonly nodes: readonly VaultNode[];
  readonly block: Observation;
};

/** How often the last anchor is read while nothing is to be sent. */
const lookSeconds = 10n;
/** Payments go first, but not for longer. */
const starvedSeconds = 300n;

export const isAnchorStarved = ({ dueSince }: AnchorMemory, block: Observation): boolean =>
  dueSince !== undefined && block.time - dueSince > starvedSeconds;

/** The anchor that is to be signed and sent, if any. */
export async function chooseAnchor(
  chance: AnchorChance,
  memory: AnchorMemory,
  alarms: Alarm[],
): Promise<Anchor | undefined> {
  const { source, block } = chance;
  const newest = await source.newestTree();
  const isNew = newest !== undefined && newest.position !== memory.settled;
  const found = isNew || block.time >= memory.lookFrom ? await look(chance, memory, alarms) : null;
  const { standing } = memory;
  if (standing?.isOfLog === false) {
    const { epoch, position } = standing;
    const detail = `anchor ${epoch} of batch ${position} is not what the log says`;
    alarms.push({ name: 'anchorWrong', detail });
  }
  if (found == null) return undefined;
  const { isRefuted, last, epochSeen } = found;
  if (newest === undefined || !(isRefuted || newest.position > Number(last.logPosition))) {
    memory.settled = newest?.position;
    memory.lookFrom = block.time + lookSeconds;
    memory.dueSince = undefined;
    return undefined;
  }
  memory.dueSince ??= block.time;
  // One is in a block that is not final, or the block is older than what the tree counts.
  if (epochSeen > last.epoch) return undefined;
  const isKnown = newest.withdrawn <= block.paidTotal && newest.depositCount <= block.depositCount;
  return isKnown ? anchorOf(newest, last.epoch + 1n) : undefined;
}

type Look = {
  readonly last: Anchor;
  /** No anchor, or one that the log contradicts. */
  readonly isRefuted: boolean;
  /** Of the newest block, as far as a quorum of nodes has seen it. */
  readonly epochSeen: bigint;
};

const refuted: ReadonlySet<TreeJudgement> = new Set(['wrong', 'ahead']);

async function look(
  { nodes, block, source }: AnchorChance,
  memory: AnchorMemory,
  alarms: Alarm[],
): Promise<Look | undefined> {
  const found = await askQuorum(nodes, (node) => node.lastAnchor(block.hash));
  if (found === undefined) {
    alarms.push({ name: 'noQuorum', detail: `on the last anchor in block ${block.number}` });
    return undefined;
  }
  const { anchor: last, acceptedAt } = found;
  const isNone = last.epoch === 0n;
  const isOfLog = isNone || !refuted.has(await source.judgeTree(claimOfAnchor(last)));
  memory.standing = {
    epoch: Number(last.epoch),
    position: Number(last.logPosition),
    acceptedAt: Number(acceptedAt),
    treeHash: last.treeHash,
    isOfLog,
  };
  const answers = await askEach(nodes, (node) => node.lastAnchor('latest'));
  const epochs = answers.flatMap((each) => each?.anchor.epoch ?? []);
  const epochSeen = reachedByQuorum(epochs) ?? last.epoch;
  return { last, isRefuted: isNone || !isOfLog, epochSeen };
}
