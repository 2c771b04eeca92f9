// Reads and writes what the processes of a deployment share beside the log. A write succeeds by its
// clean answer only, like every statement of the log, and is repeated for a while without one.

import { must } from '../../std/assert.ts';
import { stopwatchMs } from '../../std/clock.ts';
import type { Scheduler } from '../../std/scheduler.ts';
import { createLane, type Row } from './createLane.ts';
import type { Servers } from './createServers.ts';
import { type Fence, leaseFence, type Member, memberFence } from './fence.ts';
import type { Session } from './openSession.ts';
import {
  oldProfileNames,
  oldSecretNames,
  type SharedStatement,
  type StoredCredential,
  type StoredKey,
  type StoredProfile,
  type StoredProof,
  type StoredSkip,
} from './sharedStatement.ts';
import type { Writer } from './statement.ts';

export type SharedRows = {
  readonly master: StoredProof | undefined;
  readonly keys: readonly StoredKey[];
  readonly profiles: readonly StoredProfile[];
  readonly lastUsed: readonly { readonly api_key: string; readonly at: number }[];
  readonly credentials: ReadonlyMap<string, StoredCredential>;
};

/** What all processes agree on; one makes it, and the others take it. */
export type Agreed = {
  readonly master: StoredProof | undefined;
  readonly credentials: ReadonlyMap<string, StoredCredential>;
};

/** No clean answer has come for a while: it may have been written. */
export class NotAnswered extends Error {
  override name = 'NotAnswered';
}

/** The fence of a writer did not hold, so nothing was changed. */
export class FenceRefused extends Error {
  override name = 'FenceRefused';
}

export type SharedWriter = {
  /** Rejects with `FenceRefused` or `NotAnswered`. */
  readonly write: (statement: SharedStatement) => Promise<void>;
  /** The same for a statement that reads. */
  readonly read: (statement: SharedStatement) => Promise<readonly Row[]>;
  readonly end: () => void;
};

/** How long a statement is repeated; a client waits for it. */
const repeatedMs = 5000;
const pauseMs = 50;

/** Of the holder of the lease. */
export function openLeaseWriter(
  servers: Servers,
  scheduler: Scheduler,
  writer: Writer,
): SharedWriter {
  return openFencedWriter(servers, scheduler, leaseFence(writer));
}

/** Of any process of the deployment. */
export function openMemberWriter(
  servers: Servers,
  scheduler: Scheduler,
  member: Member,
): SharedWriter {
  return openFencedWriter(servers, scheduler, memberFence(member));
}

function openFencedWriter(servers: Servers, scheduler: Scheduler, fence: Fence): SharedWriter {
  const lane = createLane(servers, scheduler);
  let last: Promise<unknown> = Promise.resolve();
  const run = async (statement: SharedStatement, began: number): Promise<readonly Row[]> => {
    for (;;) {
      const outcome = await lane.run(statement(fence));
      if (outcome.kind === 'clean') {
        if (outcome.rows[0]?.held === 1) return outcome.rows;
        throw new FenceRefused(fence.refusal);
      }
      if (stopwatchMs() - began > repeatedMs) {
        throw new NotAnswered(`PostgreSQL does not take it: ${outcome.why}`);
      }
      await new Promise<void>((resolve) => scheduler.after(pauseMs, resolve));
    }
  };
  const read: SharedWriter['read'] = (statement) => {
    const began = stopwatchMs();
    const done = last.then(() => run(statement, began));
    last = done.catch(() => {});
    return done;
  };
  return {
    read,
    write: async (statement) => {
      await read(statement);
    },
    end: lane.end,
  };
}

/** Of the rows of `readAgreed`. */
export function agreedOf(rows: readonly Row[]): Agreed {
  const first = rows[0] as (StoredProof & Row) | undefined;
  const isMade = typeof first?.version === 'number';
  const credentials = rows as unknown as readonly (StoredCredential & { readonly name: unknown })[];
  return {
    master: isMade ? { version: first.version, proof: first.proof } : undefined,
    credentials: new Map(
      credentials.flatMap(({ name, master_version, data_key, value }) =>
        typeof name === 'string' ? [[name, { master_version, data_key, value }] as const] : [],
      ),
    ),
  };
}

export async function readSharedRows({ client }: Session): Promise<SharedRows> {
  const rowsOf = async <T>(query: string): Promise<T[]> => (await client.query(query)).rows as T[];
  const credentials = await rowsOf<StoredCredential & { readonly name: string }>(
    'select name, master_version, data_key, value from evermark.credential',
  );
  return {
    master: await readSharedProof({ client }),
    keys: await rowsOf('select api_key, master_version, data_key, secret from evermark.secret'),
    profiles: await rowsOf(
      'select ref, master_version, data_key, label, ip_whitelist from evermark.profile',
    ),
    lastUsed: await rowsOf('select api_key, at from evermark.last_used'),
    credentials: new Map(credentials.map(({ name, ...sealed }) => [name, sealed])),
  };
}

/** The rows of these names, as far as they are there. */
export async function readSecretsOf(
  { client }: Pick<Session, 'client'>,
  { apiKeys, refs }: { readonly apiKeys: readonly string[]; readonly refs: readonly string[] },
): Promise<{ readonly keys: readonly StoredKey[]; readonly profiles: readonly StoredProfile[] }> {
  const keys = await client.query(
    'select api_key, master_version, data_key, secret from evermark.secret ' +
      'where api_key = any ($1::text[])',
    [apiKeys],
  );
  const profiles = await client.query(
    'select ref, master_version, data_key, label, ip_whitelist from evermark.profile ' +
      'where ref = any ($1::text[])',
    [refs],
  );
  return { keys: keys.rows, profiles: profiles.rows };
}

/** The names of rows that are old enough to be removed, in parts. */
export async function* readOldNames(
  { client }: Pick<Session, 'client'>,
  kind: 'secret' | 'profile',
): AsyncGenerator<readonly string[]> {
  const text = kind === 'secret' ? oldSecretNames : oldProfileNames;
  for (let last = ''; ; ) {
    const { rows } = await client.query<{ name: string }>(text, [last, namesMax]);
    const names = rows.map(({ name }) => name);
    if (names.length > 0) yield names;
    if (names.length < namesMax) return;
    last = must(names.at(-1), 'a full part has a last name');
  }
}

/** Names of one part: 64 letters each. */
const namesMax = 2000;

/** What shows that a master key is the deployment's; undefined while there is none. */
export async function readSharedProof({
  client,
}: Pick<Session, 'client'>): Promise<StoredProof | undefined> {
  return (await client.query('select version, proof from evermark.master_key')).rows[0];
}

export async function readSharedSkips({
  client,
}: Pick<Session, 'client'>): Promise<readonly StoredSkip[]> {
  return (await client.query('select position, index from evermark.skip order by 1, 2')).rows;
}

/** The engines whose sources are there. */
export async function readEngineHashes({ client }: Pick<Session, 'client'>): Promise<string[]> {
  const { rows } = await client.query<{ hash: string }>('select hash from evermark.engine');
  return rows.map(({ hash }) => hash);
}

/** The packed sources of an engine; undefined when they are not there. */
export async function readPackedEngine(
  { client }: Pick<Session, 'client'>,
  hash: string,
): Promise<Buffer | undefined> {
  const text = 'select sources from evermark.engine where hash = $1';
  return (await client.query<{ sources: Buffer }>(text, [hash])).rows[0]?.sources;
}
