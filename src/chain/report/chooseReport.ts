// Which report is sent next (KPR-1 … KPR-4). The next one begins where the newest right one in a
// final block ends. All of it follows from final blocks and the log; what is remembered are hints,
// and a start without them does no harm.

import type { Hex } from 'viem';
import type { Alarm } from '../service/alarm.ts';
import { askEach, askQuorum, quorum } from '../service/askQuorum.ts';
import type { Observation, VaultCall, VaultNode } from '../vaultNode.ts';
import { findReport, type ReportSearch } from './findReport.ts';
import type { KeeperStanding, Report, ReportSource } from './report.ts';

export type ReportMemory = {
  standing: KeeperStanding;
  /** With so many reports in a final block, the right ones cover the log up to this batch. */
  right: { readonly count: bigint; readonly to: bigint } | undefined;
  /** A report that is wrong, while no later one is right. */
  wrong: Report | undefined;
  /** Where the walk back from the newest of so many reports has come to. */
  search: (ReportSearch & { readonly count: bigint }) | undefined;
  /** The last transaction that was given to the nodes and has been seen in no block. */
  sent: bigint | undefined;
  /** Since this time of a final block something is to be reported; seconds. */
  dueSince: bigint | undefined;
  /** The time of the final block at the last look, and the earliest of the next one. */
  lookedAt: bigint | undefined;
  lookFrom: bigint;
};

export const noReports: KeeperStanding = {
  ...{ isKeeper: false, pending: 0, submitted: 0, confirmed: 0, failed: 0 },
  ...{ reportedTo: 0, isLate: false },
};

export const createReportMemory = (): ReportMemory => ({
  standing: noReports,
  ...{ right: undefined, wrong: undefined, search: undefined },
  ...{ sent: undefined, dueSince: undefined, lookedAt: undefined, lookFrom: 0n },
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

const periodSeconds = 300n;
/** Three periods. */
const lateSeconds = 900n;
/** How often an account that may not report is looked at again. */
const strangerSeconds = 60n;

/** Payments go first, but not for longer than a period. */
export const isStarved = (memory: ReportMemory, block: Observation): boolean =>
  memory.lookedAt !== undefined && block.time - memory.lookedAt > periodSeconds;

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
  memory.lookedAt = block.time;
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

/** The last batch of the newest right report; 0 without one. Undefined when it is not known yet. */
async function findRight(
  { source, nodes, block, deployBlock }: ReportChance,
  count: bigint,
  { memory, alarms }: Work,
): Promise<bigint | undefined> {
  if (memory.right?.count === count) return memory.right.to;
  const start = { count, sequence: count, below: block.number + 1n };
  let search = memory.search?.count === count ? memory.search : start;
  memory.search = undefined;
  const known = memory.right;
  for (let walked = 0; walked < walkedPerRoundMax; walked += 1) {
    const { sequence } = search;
    if (sequence === 0n || sequence === known?.count) {
      return settleRight(memory, count, known?.count === sequence ? known.to : 0n);
    }
    const found = await findReport(nodes, search, deployBlock);
    if (found.kind === 'missing') {
      alarms.push({ name: 'reportUnread', detail: `no node has report ${sequence}` });
      return undefined;
    }
    if (found.kind !== 'found') {
      memory.search = { count, ...found.search };
      if (found.kind === 'noQuorum') {
        alarms.push({ name: 'noQuorum', detail: `on report ${sequence}` });
      }
      return undefined;
    }
    const { report } = found;
    const judgement = await source.judgeReport(report);
    if (judgement === 'later') {
      memory.search = search;
      return undefined;
    }
    if (judgement === 'right' || judgement === 'unknown') {
      if (sequence === count) memory.wrong = undefined;
      return settleRight(memory, count, report.to);
    }
    memory.wrong ??= report;
    search = { count, sequence: sequence - 1n, below: search.below };
  }
  memory.search = search;
  return undefined;
}

/** Reports that one round judges: a thief of the keeper's key may have sent many. */
const walkedPerRoundMax = 8;

function settleRight(memory: ReportMemory, count: bigint, to: bigint): bigint {
  memory.right = { count, to };
  return to;
}

/** By the chain's time: the service has no clock. */
function judgeLate({ block }: ReportChance, isOpen: boolean, { memory, alarms }: Work): void {
  if (isOpen) memory.dueSince = undefined;
  else memory.dueSince ??= block.time;
  const since = memory.dueSince;
  const isLate = since !== undefined && block.time - since > lateSeconds;
  note(memory, { isLate });
  if (isLate) alarms.push({ name: 'reportLate', detail: `for ${block.time - since} seconds` });
}
