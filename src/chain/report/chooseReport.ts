// Which report is sent next (KPR-1 … KPR-4). It begins where the right ones in final blocks end.
// All of it follows from final blocks, the log and the published files; what is remembered are
// hints, and a start without them does no harm.

import type { Hex } from 'viem';
import type { Alarm } from '../service/alarm.ts';
import { askEach, askQuorum, quorum } from '../service/askQuorum.ts';
import type { Observation, VaultCall, VaultNode } from '../vaultNode.ts';
import { findReport } from './findReport.ts';
import type { KeeperStanding, Report, ReportSource } from './report.ts';

/** The way back from the newest report to one that can be trusted; it may take many rounds. */
type Walk = {
  /** The number of the newest one. */
  readonly count: bigint;
  /** From the newest one backwards. */
  readonly found: Report[];
  /** The next one lies below this block. */
  below: bigint;
  /** The last batch of the one that can be trusted. */
  trusted: bigint | undefined;
};

export type ReportMemory = {
  standing: KeeperStanding;
  /** With so many reports in a final block, the right ones cover the log up to this batch. */
  right: { readonly count: bigint; readonly to: bigint } | undefined;
  /** A report that is wrong, while no later one is right. */
  wrong: Report | undefined;
  walk: Walk | undefined;
  /** The last transaction that was given to the nodes and has been seen in no block. */
  sent: bigint | undefined;
  /** Since this time of a final block something is to be reported; seconds. */
  dueSince: bigint | undefined;
  /** The earliest time of a block of the next look. */
  lookFrom: bigint;
};

export const noReports: KeeperStanding = {
  ...{ isKeeper: false, pending: 0, submitted: 0, confirmed: 0, failed: 0 },
  ...{ reportedTo: 0, isLate: false },
};

export const createReportMemory = (): ReportMemory => ({
  standing: noReports,
  ...{ right: undefined, wrong: undefined, walk: undefined },
  ...{ sent: undefined, dueSince: undefined, lookFrom: 0n },
});

export type ReportChance = {
  readonly source: ReportSource;
  readonly nodes: readonly VaultNode[];
  readonly block: Observation;
  /** Of the gas account. */
  readonly keeper: Hex;
  /** The vault's first block. */
  readonly deployBlock: bigint;
};

/** Three periods. */
const lateSeconds = 900n;
/** How often an account that may not report is looked at again. */
const strangerSeconds = 60n;

/**
 * To be called when the gas account is free. Undefined when there is nothing to report, or it is
 * not known yet. What fails here costs a report, and not the round.
 */
export async function chooseReport(
  chance: ReportChance,
  memory: ReportMemory,
  alarms: Alarm[],
): Promise<VaultCall | undefined> {
  const { block } = chance;
  if (block.time < memory.lookFrom) return undefined;
  try {
    return (await isIdle(chance, memory)) ? undefined : await choose(chance, memory, alarms);
  } catch (error) {
    alarms.push({ name: 'reportFails', detail: (error as Error).message });
    judgeLate(chance, false, { memory, alarms });
    return undefined;
  } finally {
    const { wrong } = memory;
    if (wrong !== undefined) alarms.push({ name: 'reportWrong', detail: textOf(wrong) });
  }
}

/** The report has been given to the nodes. */
export function noteSent(memory: ReportMemory, { sequence }: Report): void {
  memory.sent = sequence;
  note(memory, { pending: 0, submitted: 1 });
}

/** Nothing is on its way and no period has ended: no node need be asked. */
async function isIdle({ source }: ReportChance, memory: ReportMemory): Promise<boolean> {
  const { right, standing, sent } = memory;
  if (right === undefined || !standing.isKeeper) return false;
  if (standing.submitted > 0 || sent !== undefined) return false;
  return (await source.nextReport(right.to, right.count + 1n)) === 'open';
}

async function choose(
  chance: ReportChance,
  memory: ReportMemory,
  alarms: Alarm[],
): Promise<VaultCall | undefined> {
  const { nodes, block, keeper } = chance;
  const final = await askQuorum(nodes, (node) => node.keeper(block.hash, keeper));
  if (final === undefined) {
    alarms.push({ name: 'noQuorum', detail: `on the reports in block ${block.number}` });
    return undefined;
  }
  const { reportCount, isKeeper } = final;
  const ahead = await countAhead(chance, reportCount);
  settleSent(memory, reportCount + BigInt(ahead));
  note(memory, { isKeeper, submitted: ahead, confirmed: Number(reportCount) });
  if (!isKeeper || ahead > 0) {
    memory.dueSince = undefined;
    memory.lookFrom = isKeeper ? 0n : block.time + strangerSeconds;
    note(memory, { pending: 0, isLate: false });
    return undefined;
  }
  const found = await findNext(chance, reportCount, { memory, alarms });
  judgeLate(chance, found === 'open', { memory, alarms });
  return typeof found === 'string' ? undefined : found;
}

const textOf = ({ sequence, from, to }: Report): string =>
  `report ${sequence} of the batches after ${from} to ${to} is not what the log says`;

function note(memory: ReportMemory, standing: Partial<KeeperStanding>): void {
  memory.standing = { ...memory.standing, ...standing };
}

/** Reports that a quorum of nodes has seen in blocks that are not final. */
async function countAhead({ nodes, keeper }: ReportChance, count: bigint): Promise<number> {
  const answers = await askEach(nodes, (node) => node.keeper('latest', keeper));
  const counts = answers.flatMap((each) => each?.reportCount ?? []).sort(descending);
  const seen = counts[quorum - 1] ?? count;
  return seen > count ? Number(seen - count) : 0;
}

const descending = (one: bigint, other: bigint): number => (one > other ? -1 : one < other ? 1 : 0);

/** The gas account is free: what was sent is in a block, or was reverted, replaced or lost. */
function settleSent(memory: ReportMemory, count: bigint): void {
  const { sent, standing } = memory;
  memory.sent = undefined;
  if (sent !== undefined && sent > count) note(memory, { failed: standing.failed + 1 });
}

type Work = { readonly memory: ReportMemory; readonly alarms: Alarm[] };

async function findNext(
  chance: ReportChance,
  count: bigint,
  { memory, alarms }: Work,
): Promise<VaultCall | 'open' | 'later'> {
  const after = await findRight(chance, count, { memory, alarms });
  if (after === undefined) return 'later';
  note(memory, { reportedTo: Number(after) });
  const sequence = count + 1n;
  const next = await chance.source.nextReport(after, sequence);
  note(memory, { pending: next === 'open' ? 0 : 1 });
  if (typeof next === 'string') return next;
  if (next.from > after) {
    const detail = `the batches after ${after} to ${next.from} are in no report`;
    alarms.push({ name: 'reportGap', detail });
  }
  return { kind: 'report', report: { sequence, ...next } };
}

/**
 * The last batch up to which right reports follow one another; undefined when it is not known yet.
 * The walk goes back to a report that can be trusted. From there each report counts that begins
 * where the one before it ends and whose digest is right: a right digest alone proves little,
 * because that of an empty stretch is known to everybody.
 */
async function findRight(
  chance: ReportChance,
  count: bigint,
  { memory, alarms }: Work,
): Promise<bigint | undefined> {
  if (memory.right?.count === count) return memory.right.to;
  if (memory.walk?.count !== count) {
    memory.walk = { count, found: [], below: chance.block.number + 1n, trusted: undefined };
  }
  const { walk } = memory;
  walk.trusted ??= await walkBack(chance, walk, { memory, alarms });
  if (walk.trusted === undefined) return undefined;
  let to = walk.trusted;
  let wrong: Report | undefined;
  for (const report of walk.found.toReversed()) {
    const judgement = report.from === to ? await chance.source.judgeReport(report) : 'wrong';
    if (judgement === 'later') return undefined;
    const isRight = judgement === 'right' || judgement === 'unknown';
    if (isRight) to = report.to;
    wrong = isRight ? undefined : report;
  }
  memory.wrong = wrong ?? (walk.found.length === 0 ? memory.wrong : undefined);
  memory.right = { count, to };
  memory.walk = undefined;
  return to;
}

/** The last batch of a report that can be trusted, or 0; later ones are in the walk. */
async function walkBack(
  { source, nodes, deployBlock }: ReportChance,
  walk: Walk,
  { memory, alarms }: Work,
): Promise<bigint | undefined> {
  const { right } = memory;
  for (let made = 0; made < stepsPerRoundMax; made += 1) {
    const sequence = walk.count - BigInt(walk.found.length);
    if (sequence === 0n) return 0n;
    if (sequence === right?.count) return right.to;
    const found = await findReport(nodes, { sequence, below: walk.below }, deployBlock);
    if (found.kind === 'missing') {
      alarms.push({ name: 'reportUnread', detail: `no node has report ${sequence}` });
      memory.walk = undefined;
      return undefined;
    }
    if (found.kind !== 'found') {
      walk.below = found.search.below;
      const detail = `on report ${sequence}`;
      if (found.kind === 'noQuorum') alarms.push({ name: 'noQuorum', detail });
      return undefined;
    }
    const { report } = found;
    if (await source.isPublished(report)) return report.to;
    if (walk.found.length >= untrustedMax) {
      const judgement = await source.judgeReport(report);
      if (judgement === 'later') return undefined;
      if (judgement === 'right' || judgement === 'unknown') return report.to;
    }
    walk.found.push(report);
  }
  return undefined;
}

/** What one round reads: a thief of the keeper's key may have sent many. */
const stepsPerRoundMax = 8;
/**
 * A process without files, as one that has just taken over, trusts a report whose digest is right
 * when so many others have followed it: an hour of them.
 */
const untrustedMax = 12;

/** By the chain's time: the service has no clock. */
function judgeLate({ block }: ReportChance, isOpen: boolean, { memory, alarms }: Work): void {
  if (isOpen) memory.dueSince = undefined;
  else memory.dueSince ??= block.time;
  const since = memory.dueSince;
  const isLate = since !== undefined && block.time - since > lateSeconds;
  note(memory, { isLate });
  if (isLate) alarms.push({ name: 'reportLate', detail: `for ${block.time - since} seconds` });
}
