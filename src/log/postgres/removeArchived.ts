// Removes partitions from PostgreSQL whose batches are in an archive and in the own archive of each
// process that lives. Only the operator has it done.

import { stopwatchMs } from '../../std/clock.ts';
import type { Scheduler } from '../../std/scheduler.ts';
import { ArchiveRefused } from '../file/archiveRefused.ts';
import type { LogHead } from '../log.ts';
import { lockBriefly } from './lockBriefly.ts';
import { lifeOf, type Sights } from './members.ts';
import type { Session } from './openSession.ts';
import { type EndedPartition, removalStatement } from './partitions.ts';
import { readOldPartitions } from './readOldPartitions.ts';
import { tablesLock } from './tables.ts';
import { watchMembers } from './watchMembers.ts';

export type RemoveArchived = {
  readonly session: Session;
  readonly scheduler: Scheduler;
  /** The batches of an archive that was read whole and matched with this database. */
  readonly archived: {
    readonly end: number;
    readonly hashAt: (position: number) => Pick<LogHead, 'hash'> | undefined;
  };
};

export type Removal = {
  /** The first batch that the database has now; undefined: nothing was removed. */
  readonly beginsWith: number | undefined;
  /** Why a partition that the archive has stays; undefined: none does. */
  readonly stays: string | undefined;
};

/** Throws `ArchiveRefused` when the archive has another chain, and `DatabaseRefused`. */
export async function removeArchived(options: RemoveArchived): Promise<Removal> {
  const { session, scheduler, archived } = options;
  const old = (await readOldPartitions(session)).filter(({ next }) => next <= archived.end + 1);
  const sights: Sights =
    old.length === 0 ? new Map() : await watchMembers(session.client, scheduler);
  let beginsWith: number | undefined;
  for (const partition of old) {
    checkChain(options, partition);
    const stays = whyNeeded(sights, partition);
    if (stays !== undefined) return { beginsWith, stays };
    await lockBriefly(session.client, scheduler, [
      `select pg_advisory_xact_lock(${tablesLock})`,
      removalStatement(partition),
    ]);
    beginsWith = partition.next;
  }
  return { beginsWith, stays: undefined };
}

function checkChain({ session, archived }: RemoveArchived, partition: EndedPartition): void {
  const { position, hash } = partition;
  if (archived.hashAt(position)?.hash.equals(hash) === true) return;
  throw new ArchiveRefused(
    `The archive has another batch ${position} than the log in PostgreSQL at ${session.name}.`,
  );
}

/** A process whose own files could be lost reads the batches from the database again. */
function whyNeeded(sights: Sights, { position }: EndedPartition): string | undefined {
  const behind = [...sights.values()]
    .filter((sight) => lifeOf(sight, stopwatchMs()) !== 'gone')
    .find((sight) => (sight.row.archived ?? 0) < position);
  if (behind === undefined) return undefined;
  const { process, archived = 0 } = behind.row;
  return (
    `the batches up to ${position} stay, because process ${process} has its own archive only up ` +
    `to batch ${archived}: type it again later`
  );
}
