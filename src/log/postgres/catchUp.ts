// Brings the local segments up to a durable position of the log in PostgreSQL.

import { must } from '../../std/assert.ts';
import { type LogBatch, LogDamaged, type LogHead, type LogPlace } from '../log.ts';
import type { Servers } from './createServers.ts';
import type { LocalSegments } from './openLocalSegments.ts';
import { askBriefly, endClient, type Session } from './openSession.ts';
import { readPostgresBatches } from './readPostgresBatches.ts';
import { DatabaseRefused } from './serverFacts.ts';

export const placeOf = ({ position, hash }: LogHead): LogPlace => ({
  position,
  hash: hash.toString('hex'),
});

/**
 * Reads what the segments do not have yet; `read` gets each batch, with what the segments do not
 * keep of it. Throws `LogDamaged` when it does not continue them, and `DatabaseRefused` when the
 * next batch was removed meanwhile.
 */
export async function catchUp(
  session: Session,
  segments: LocalSegments,
  durablePosition: number,
  read?: (batch: LogBatch) => void,
): Promise<void> {
  try {
    await readInto(session, segments, durablePosition, read);
  } catch (error) {
    if (error instanceof LogDamaged) await checkContains(session, segments.head());
    throw error;
  }
}

async function readInto(
  { client }: Session,
  segments: LocalSegments,
  durablePosition: number,
  read?: (batch: LogBatch) => void,
): Promise<void> {
  const after = placeOf(segments.head());
  for await (const batch of readPostgresBatches(client, after, durablePosition)) {
    const { hash } = segments.append(batch);
    read?.(batch);
    if (hash.equals(batch.hash)) continue;
    throw new LogDamaged(`batch ${batch.position} became another one on its way into the segments`);
  }
}

/**
 * Throws `LogDamaged` unless PostgreSQL has the last batch of the segments, and `DatabaseRefused`
 * when it has removed batches behind that one. The segments hold durable batches only, so a log
 * without one of them has lost what was acknowledged.
 */
export async function checkContains(session: Session, head: LogHead): Promise<void> {
  const { position, hash } = head;
  const removed = await readRemoved(session);
  if (position < removed.position) throw new DatabaseRefused(whyTooOld(session, head, removed));
  if (position === 0) return;
  const { client, name } = session;
  const { rows } = await askBriefly(client, 'select hash from evermark.batch where position = $1', [
    position,
  ]);
  const found =
    position === removed.position ? removed.hash : (rows[0]?.hash as Buffer | undefined);
  if (found?.equals(hash) === true) return;
  const what = found === undefined ? 'does not have' : 'has another';
  throw new LogDamaged(
    `PostgreSQL at ${name} ${what} batch ${position}, which was acknowledged and is in the ` +
      'local segments: it was put back to an earlier state, it is an old primary, or these ' +
      "segments are another deployment's",
  );
}

export type Removed = Pick<LogHead, 'position' | 'hash'>;

/** The last batch that was removed from the database; the empty log's end: none. */
export async function readRemoved({ client }: Pick<Session, 'client'>): Promise<Removed> {
  const { rows } = await askBriefly(
    client,
    'select removed as position, removed_hash as hash from evermark.deployment',
  );
  return must(rows[0], 'the tables have an owner');
}

const whyTooOld = ({ name }: Session, { position }: LogHead, removed: Removed): string =>
  `The log in PostgreSQL at ${name} begins with batch ${removed.position + 1}, because those ` +
  'before it were archived and removed, and the local segments ' +
  (position === 0 ? 'are empty' : `end with batch ${position}`) +
  '. Type "evermark cluster fetch ARCHIVE" with the archive of this deployment and this data ' +
  'directory, and start again.';

/** What only reads is answered in this time, or its connection is dead and no one says so. */
const queryMsOfReads = 30_000;

/** A connection that is kept for many questions, and made again after a failure. */
export type KeptSession = {
  readonly use: <T>(step: (session: Session) => Promise<T>) => Promise<T>;
  readonly end: () => void;
};

export function keepSession(servers: Servers, queryMs = queryMsOfReads): KeptSession {
  let kept: Session | undefined;
  const end = (): void => {
    if (kept !== undefined) endClient(kept.client);
    kept = undefined;
  };
  return {
    end,
    use: async (step) => {
      try {
        kept ??= await servers.connect(queryMs);
        return await step(kept);
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}
