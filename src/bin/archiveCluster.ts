// `evermark cluster archive`, `check`, `remove` and `fetch`: old batches of the log go from
// PostgreSQL into an archive of the operator, are checked there, are removed from the database, and
// come from the archive into the data directory of a process.

import { resolve } from 'node:path';
import { type ChainId, ConfigError } from '../config.ts';
import { type ArchiveManifest, archivedEnd } from '../log/file/archiveManifest.ts';
import { checkArchive, findManifest } from '../log/file/checkArchive.ts';
import { lockDirectory } from '../log/file/lockDirectory.ts';
import { segmentBytesDefault } from '../log/file/segment.ts';
import type { LogHead } from '../log/log.ts';
import { exportLog } from '../log/postgres/exportLog.ts';
import { fetchArchive } from '../log/postgres/fetchArchive.ts';
import { matchArchive } from '../log/postgres/matchArchive.ts';
import type { Session } from '../log/postgres/openSession.ts';
import { removeArchived } from '../log/postgres/removeArchived.ts';
import { checkLogHere, checkTables, type ExpectedOwner } from '../log/postgres/tables.ts';
import { fileDisk } from '../std/disk.ts';
import { systemScheduler } from '../std/scheduler.ts';
import { makeDataDirectory, makeOwnDirectory } from './dataDirectory.ts';
import { readDeploymentMark, readLogPlace, writeDeploymentMark } from './deploymentMark.ts';
import type { VerbIo } from './operatorVerb.ts';

export type ArchiveVerb = 'archive' | 'check' | 'remove' | 'fetch';

export type AskedArchive = {
  readonly verb: ArchiveVerb;
  /** Of the archive. */
  readonly directory: string;
  readonly expected: ExpectedOwner;
  /** The data directory, which `fetch` fills. */
  readonly data: string;
};

/** Carries out one of the verbs over a session with the server that takes writes. */
export async function archiveCluster(
  io: VerbIo,
  session: Session,
  { verb, directory: named, expected, data }: AskedArchive,
): Promise<void> {
  const owner = await checkTables(session.client, expected);
  await checkLogHere(session.client);
  const directory = resolve(named);
  const check = async (onBatch?: (head: LogHead) => void): Promise<ArchiveManifest> => {
    const manifest = checkArchive({ disk: fileDisk, directory, ...(onBatch && { onBatch }) });
    await matchArchive({ session, owner, directory, manifest });
    return manifest;
  };
  if (verb === 'check') {
    io.print(`${describe(directory, await check())}; every byte was read and is sound`);
    return;
  }
  if (verb === 'fetch') return fetchInto(io, { data, directory, owner, manifest: await check() });
  if (verb === 'remove') findManifest(fileDisk, directory);
  else makeOwnDirectory(directory);
  const lock = lockDirectory(directory);
  try {
    if (verb === 'remove') return await remove(io, session, check);
    const place = { disk: fileDisk, directory, segmentBytes: segmentBytesDefault };
    io.print(describe(directory, await exportLog({ session, owner, ...place })));
  } finally {
    lock.release();
  }
}

/** `check` reads the archive whole, and gives each of its batches. */
async function remove(
  io: VerbIo,
  session: Session,
  check: (onBatch: (head: LogHead) => void) => Promise<ArchiveManifest>,
): Promise<void> {
  const heads = new Map<number, LogHead>();
  const ends = await readEnds(session);
  const manifest = await check((head) => {
    if (ends.has(head.position)) heads.set(head.position, head);
  });
  const { beginsWith, stays } = await removeArchived({
    ...{ session, scheduler: systemScheduler },
    archived: {
      end: archivedEnd(manifest).position,
      hashAt: (position) => heads.get(position),
    },
  });
  io.print(
    beginsWith === undefined
      ? 'nothing was removed'
      : `the log in PostgreSQL begins with batch ${beginsWith} now`,
  );
  if (stays !== undefined) io.print(stays);
}

/** The last positions of the partitions. */
async function readEnds({ client }: Session): Promise<Set<number>> {
  const { rows } = await client.query('select next - 1 as last from evermark.part');
  return new Set(rows.map(({ last }) => last as number));
}

function describe(directory: string, manifest: ArchiveManifest): string {
  const { position, hash } = archivedEnd(manifest);
  const { segments, engines } = manifest;
  if (position === 0) {
    return `${directory} is empty: no partition of the log is whole, durable and old enough`;
  }
  const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
  const commands = segments.reduce((sum, segment) => sum + segment.commands, 0);
  return (
    `${directory} has the log up to batch ${position} (${hash}): ${commands} commands in ` +
    `${segments.length} files, ${bytes} bytes, with ${engines.length} engines`
  );
}

type FetchInto = {
  readonly data: string;
  readonly directory: string;
  readonly owner: { readonly deployment: string; readonly chain: number };
  readonly manifest: ArchiveManifest;
};

/** Only the copy of a log that is in PostgreSQL may be replaced. */
function fetchInto(io: VerbIo, { data, directory, owner, manifest }: FetchInto): void {
  const { path, log } = makeDataDirectory(data, owner.chain as ChainId);
  const isNew = readDeploymentMark(path) === undefined && !fileDisk.exists(log);
  if (!isNew && readLogPlace(path) !== 'postgres') {
    throw new ConfigError(`${path} holds a log of its own, which is no copy: name another --data.`);
  }
  const lock = lockDirectory(log);
  try {
    fetchArchive({ disk: fileDisk, directory, manifest, log });
    writeDeploymentMark(path, { deployment: owner.deployment, log: 'postgres' });
  } finally {
    lock.release();
  }
  const { position } = archivedEnd(manifest);
  io.print(`${path} has the log up to batch ${position}; a start reads the rest from PostgreSQL`);
}
