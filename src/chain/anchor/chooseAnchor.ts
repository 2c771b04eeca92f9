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
  /** The file of a tree that the vault names stays. */
  readonly judgeAnchor: (claim: TreeClaim) => Promise<TreeJudgement>;
};

/** The last anchor in a final block; epoch 0: there is none. */
export type AnchorStanding = {
  readonly epoch: number;
  /** Its batch of the log. */
  readonly position: number;
  /** When the vault has accepted it; seconds. */
  readonly acceptedAt: number;
  /** So long after it anyone may open the exit; seconds. */
  readonly silence: number;
  readonly treeHash: string;
  /** false: the log contradicts it; null: it lies before what this replica knows. */
  readonly isOfLog: boolean | null;
};

export type AnchorMemory = {
  standing: AnchorStanding | undefined;
  /** The last one of the log with the highest place. */
  highest: Pick<AnchorStanding, 'epoch' | 'position'>;
  /** The newest tree at the last look that found nothing to send. */
  settled: number | undefined;
  /** The earliest of the next look without a new tree, by the time of the block; seconds. */
  lookFrom: bigint;
  /** Before this time of a block no other one is signed. */
  askFrom: bigint;
};

export const createAnchorMemory = (): AnchorMemory => ({
  ...{ standing: undefined, highest: { epoch: 0, position: 0 }, settled: undefined },
  ...{ lookFrom: 0n, askFrom: 0n },
});

export type AnchorChance = {
  readonly source: AnchorSource;
  readonly nodes: readonly VaultNode[];
  readonly block: Observation;
};

/** How often the last anchor is read while nothing is to be sent. */
const lookSeconds = 10n;

/**
 * Payments would go on by a log whose last anchor is old. Who lost money since could open the exit
 * and be paid as if not.
 */
export const isAnchorOld = ({ standing }: AnchorMemory, { time }: Observation): boolean =>
  standing !== undefined &&
  standing.epoch > 0 &&
  Number(time) > standing.acceptedAt + standing.silence / 2;

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
  alarms.push(...alarmsOf(memory));
  if (found == null) return undefined;
  const { isRefuted, last, epochSeen } = found;
  if (newest === undefined || !(isRefuted || newest.position > Number(last.logPosition))) {
    memory.settled = newest?.position;
    memory.lookFrom = block.time + lookSeconds;
    return undefined;
  }
  // One is in a block that is not final, or the block is older than what the tree counts.
  if (epochSeen > last.epoch) return undefined;
  const isKnown = newest.withdrawn <= block.paidTotal && newest.depositCount <= block.depositCount;
  return isKnown ? anchorOf(newest, last.epoch + 1n) : undefined;
}

function alarmsOf({ standing, highest }: AnchorMemory): Alarm[] {
  if (standing === undefined) return [];
  const { epoch, position, isOfLog } = standing;
  const name = `anchor ${epoch} of batch ${position}`;
  if (isOfLog === false) return [{ name: 'anchorWrong', detail: `${name} is not of the log` }];
  if (epoch <= highest.epoch || position >= highest.position) return [];
  const detail = `${name} came after anchor ${highest.epoch} of batch ${highest.position}`;
  return [{ name: 'anchorWentBack', detail }];
}

type Look = {
  readonly last: Anchor;
  /** No anchor, or one that the log contradicts. */
  readonly isRefuted: boolean;
  /** Of the newest block, as far as a quorum of nodes has seen it. */
  readonly epochSeen: bigint;
};

const isOfLogBy: Readonly<Record<TreeJudgement, boolean | null>> = {
  ...{ right: true, filed: true, wrong: false, ahead: false, later: null, unknown: null },
};

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
  const { anchor: last, acceptedAt, silence } = found;
  const isNone = last.epoch === 0n;
  const isOfLog = isNone || isOfLogBy[await source.judgeAnchor(claimOfAnchor(last))];
  const standing = {
    ...{ epoch: Number(last.epoch), position: Number(last.logPosition) },
    ...{ acceptedAt: Number(acceptedAt), silence: Number(silence) },
    ...{ treeHash: last.treeHash, isOfLog },
  };
  memory.standing = standing;
  if (isOfLog && standing.position >= memory.highest.position) memory.highest = standing;
  const answers = await askEach(nodes, (node) => node.lastAnchor('latest'));
  const epochs = answers.flatMap((each) => each?.anchor.epoch ?? []);
  const epochSeen = reachedByQuorum(epochs) ?? last.epoch;
  return { last, isRefuted: isNone || isOfLog === false, epochSeen };
}
