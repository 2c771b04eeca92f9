// Makes partitions ahead of the log, for the process that holds the lease. What it does comes long
// before it is needed: a write into a partition that is not there waits until it is.

import type { Scheduler } from '../../std/scheduler.ts';
import type { Lane } from './createLane.ts';
import { aheadStatement, type Partitions, partsStatement } from './partitions.ts';
import type { Statement, Writer } from './statement.ts';

export type KeepPartitions = {
  readonly makeLane: () => Lane;
  readonly scheduler: Scheduler;
  readonly writer: Writer;
  /** The end of the log. */
  readonly head: () => { readonly position: number };
  /** Receives the sentence that says why partitions cannot be made. */
  readonly report: (message: string) => void;
};

/** How often the end of the log is compared with that of the partitions; it costs no question. */
const compareEveryMs = 1000;
/**
 * After so many comparisons the partitions are read again: an operator may have the table divided,
 * and a promotion of the standby may lose what was read before.
 */
const readEvery = 60;

/** Gives what ends it. */
export function keepPartitions(options: KeepPartitions): () => void {
  const { makeLane, scheduler, head } = options;
  let parts: Partitions | undefined;
  let compared = readEvery;
  let lane: Lane | undefined;
  let ended = false;
  let cancel = (): void => {};
  const look = async (): Promise<void> => {
    if (compared >= readEvery || isShort(parts, head())) {
      lane = makeLane();
      const found = await makeAhead(options, lane);
      lane.end();
      compared = found === 'doubtful' ? readEvery : 0;
      parts = found === 'doubtful' ? undefined : found;
    }
    compared += 1;
    if (!ended) cancel = scheduler.after(compareEveryMs, () => void look());
  };
  void look();
  return () => {
    ended = true;
    cancel();
    lane?.end();
  };
}

/** Less than a whole partition lies ahead; undefined: the table is not divided. */
const isShort = (
  parts: Partitions | undefined,
  { position }: { readonly position: number },
): boolean => parts !== undefined && parts.next <= position + parts.positions;

async function makeAhead(
  options: KeepPartitions,
  lane: Lane,
): Promise<Partitions | undefined | 'doubtful'> {
  const { writer, head } = options;
  const before = await ask(options, lane, partsStatement);
  if (before === 'doubtful' || !isShort(before, head())) return before;
  const made = await ask(options, lane, aheadStatement(writer, head().position));
  return made === 'doubtful' ? made : ask(options, lane, partsStatement);
}

async function ask(
  { report }: KeepPartitions,
  lane: Lane,
  statement: Statement,
): Promise<Partitions | undefined | 'doubtful'> {
  const outcome = await lane.run(statement);
  if (outcome.kind === 'clean') return outcome.rows[0] as Partitions | undefined;
  report(`the next partition of the log in PostgreSQL cannot be made: ${outcome.why}`);
  return 'doubtful';
}
