// Whose connections still stand (COD-6): those of the processes that have a link to the holder of
// the lease, or have lost it a moment ago. It decides and does nothing.

import { rangeOfConnection, rangeOfProcess } from './connectionNumbers.ts';

/** As long as this, a process without a link is waited for. */
export const awaitedMs = 5000;
/**
 * Looks come several times a second. When more has passed between two of them, this process stood
 * still, and no other process could reach it.
 */
const passedMaxMs = 1000;

type Member = { readonly process: string; readonly range: number };

export type ServedProcesses = {
  /** The holder of the lease. */
  readonly own: Member;
  /** The range of the holder before it, which has ended; undefined: none is known. */
  readonly former: number | undefined;
  /** By the number of the link. */
  readonly linked: Map<number, Member>;
  /** How long the ranges of lost links are waited for, in milliseconds. */
  readonly awaited: Map<number, number>;
  /** The same for all ranges that have not had a link yet. */
  unheardMs: number;
  lookedAt: number;
};

/** The process has just got the lease; `former` is the process that had it before. */
export function createServedProcesses(
  { process, former }: { readonly process: string; readonly former: string | undefined },
  nowMs: number,
): ServedProcesses {
  return {
    own: { process, range: rangeOfProcess(process) },
    former: former === undefined ? undefined : rangeOfProcess(former),
    ...{ linked: new Map(), awaited: new Map(), unheardMs: awaitedMs, lookedAt: nowMs },
  };
}

/** Gives why the process cannot be served, if it cannot. */
export function onMemberLinked(
  { own, linked, awaited }: ServedProcesses,
  { link, process }: { readonly link: number; readonly process: string },
): string | undefined {
  const range = rangeOfProcess(process);
  for (const member of [own, ...linked.values()]) {
    if (member.range === range && member.process !== process) {
      return 'its connections would have the numbers of another process: start it again';
    }
  }
  linked.set(link, { process, range });
  awaited.delete(range);
  return undefined;
}

export function onMemberGone({ linked, awaited }: ServedProcesses, link: number): void {
  const gone = linked.get(link);
  if (gone === undefined) return;
  linked.delete(link);
  awaited.set(gone.range, awaitedMs);
}

/** Time passes, by the stopwatch. */
export function passTime(served: ServedProcesses, nowMs: number): void {
  const passed = Math.min(nowMs - served.lookedAt, passedMaxMs);
  served.lookedAt = nowMs;
  served.unheardMs = Math.max(0, served.unheardMs - passed);
  for (const [range, leftMs] of served.awaited) {
    if (leftMs > passed) served.awaited.set(range, leftMs - passed);
    else served.awaited.delete(range);
  }
}

/** Whether no process serves a connection any more. Cost: the links. */
export function lostTest(served: ServedProcesses): (connection: number) => boolean {
  const { own, former, linked, awaited, unheardMs } = served;
  const standing = new Set([own.range, ...awaited.keys()]);
  for (const { range } of linked.values()) standing.add(range);
  return (connection) => {
    const range = rangeOfConnection(connection);
    if (standing.has(range)) return false;
    return range === former || unheardMs === 0;
  };
}
