// Whose turn it is when processes of two releases serve one deployment. Only a process with the
// engine of the log can continue the log as it is. A process with a newer engine ends the turn of
// the others with its first batch, so it takes the lease only when none of them lives any more. It
// decides and does nothing.

import { lifeOf, type MemberReport, type MemberRow, type Sights, seeMembers } from './members.ts';

/** What a process sees of the others, and when it looked last, by its stopwatch. */
export type MemberWatch = { readonly sights: Sights; lookedAt: number | undefined };

/**
 * Without a look for so long a process counts anew who lives: after an outage of the database the
 * others need time for their next beat.
 */
export const lookGapMaxMs = 1500;

/** Takes what a look has shown; what was seen before a gap says nothing any more. */
export function watchRows(watch: MemberWatch, rows: readonly MemberRow[], nowMs: number): void {
  if (!hasLooked(watch, nowMs)) watch.sights.clear();
  watch.lookedAt = nowMs;
  seeMembers(watch.sights, rows, nowMs);
}

const hasLooked = ({ lookedAt }: MemberWatch, nowMs: number): boolean =>
  lookedAt !== undefined && nowMs - lookedAt <= lookGapMaxMs;

/** Of the process that asks whether its turn has come. */
export type EngineTurn = Pick<MemberReport, 'process' | 'engineHash'> & {
  /** The engine of the log's last batch; empty: the log has none. */
  readonly logEngine: string;
};

/** The other processes with the engine of the log, unless they are certainly gone. */
export function waitsFor(
  sights: Sights,
  { process, engineHash, logEngine }: EngineTurn,
  nowMs: number,
): MemberRow[] {
  if (logEngine === '' || engineHash === logEngine) return [];
  return [...sights.values()]
    .filter((sight) => lifeOf(sight, nowMs) !== 'gone')
    .map(({ row }) => row)
    .filter((row) => row.process !== process && row.engineHash === logEngine);
}

/** Why this process leaves the lease to others; undefined: it may take it. */
export function whyBarred(
  watch: MemberWatch,
  asking: EngineTurn,
  nowMs: number,
): string | undefined {
  const { engineHash, logEngine } = asking;
  if (logEngine === '' || engineHash === logEngine) return undefined;
  if (!hasLooked(watch, nowMs)) {
    return 'this process does not know yet whether another one runs the engine of the log';
  }
  const [first] = waitsFor(watch.sights, asking, nowMs);
  if (first === undefined) return undefined;
  const { process, address } = first;
  return (
    'this process has a newer engine than the log and leaves the lease to ' +
    `process ${process} at ${address}, which has the engine of the log`
  );
}
