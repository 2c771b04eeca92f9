// Whether an archive is the beginning of the log in a database, and how far each of the two
// reaches.

import type { ArchiveManifest } from '../file/archiveManifest.ts';
import { archivedEnd } from '../file/archiveManifest.ts';
import { ArchiveRefused } from '../file/archiveRefused.ts';
import type { LogPlace } from '../log.ts';
import { readRemoved } from './catchUp.ts';
import { askBriefly, type Session } from './openSession.ts';
import type { TablesOwner } from './tables.ts';

export type MatchArchive = {
  readonly session: Session;
  readonly owner: TablesOwner;
  /** For messages. */
  readonly directory: string;
  readonly manifest: ArchiveManifest;
};

/**
 * Throws `ArchiveRefused` unless the archive is of this deployment, its last batch is one of the
 * database, and no batch is missing between the two.
 */
export async function matchArchive(options: MatchArchive): Promise<void> {
  const { session, directory, manifest } = options;
  checkOwner(options);
  const removed = await readRemoved(session);
  const end = archivedEnd(manifest);
  if (end.position < removed.position) {
    throw new ArchiveRefused(
      `The log in PostgreSQL at ${session.name} begins with batch ${removed.position + 1}, and ` +
        `the archive in ${directory} ends with batch ${end.position}: take the archive that has ` +
        'the batches between them.',
    );
  }
  const here = end.position === removed.position ? removed.hash : await readHash(session, end);
  if (end.position === 0 || here?.toString('hex') === end.hash) return;
  const what = here === undefined ? 'does not have' : 'has another';
  throw new ArchiveRefused(
    `The log in PostgreSQL at ${session.name} ${what} ` +
      `batch ${end.position}, with which the archive in ${directory} ends: they belong to ` +
      'different logs, or the database was put back to an earlier state.',
  );
}

function checkOwner({ owner, manifest, directory }: MatchArchive): void {
  const { deployment, chain } = manifest;
  if (chain !== owner.chain) {
    throw new ArchiveRefused(
      `${directory} is an archive of chain ${chain}, and the database belongs to chain ` +
        `${owner.chain}.`,
    );
  }
  if (deployment === owner.deployment) return;
  throw new ArchiveRefused(
    `${directory} is the archive of deployment ${deployment}, and the database belongs to ` +
      `deployment ${owner.deployment}.`,
  );
}

async function readHash({ client }: Session, { position }: LogPlace): Promise<Buffer | undefined> {
  const text = 'select hash from evermark.batch where position = $1';
  return (await askBriefly(client, text, [position])).rows[0]?.hash;
}
