// Reads and writes what the processes of a deployment share beside the log. A write succeeds by its
// clean answer only, like every statement of the log, and is repeated for a while without one.

import { stopwatchMs } from '../../std/clock.ts';
import type { Scheduler } from '../../std/scheduler.ts';
import { createLane } from './createLane.ts';
import type { Servers } from './createServers.ts';
import { LeaseLost } from './holdLog.ts';
import type { Session } from './openSession.ts';
import type {
  SharedStatement,
  StoredCredential,
  StoredKey,
  StoredProfile,
  StoredProof,
  StoredSkip,
} from './sharedStatement.ts';
import type { Statement, Writer } from './statement.ts';

export type SharedRows = {
  readonly master: StoredProof | undefined;
  readonly keys: readonly StoredKey[];
  readonly profiles: readonly StoredProfile[];
  readonly lastUsed: readonly { readonly api_key: string; readonly at: number }[];
  readonly credentials: ReadonlyMap<string, StoredCredential>;
};

export type SharedWriter = {
  /** Rejects with `LeaseLost`, or when no clean answer has come for a while. */
  readonly write: (statement: SharedStatement) => Promise<void>;
  readonly end: () => void;
};

/** How long a write is repeated; a client waits for it. */
const repeatedMs = 5000;
const pauseMs = 50;

export function openSharedWriter(
  servers: Servers,
  scheduler: Scheduler,
  writer: Writer,
): SharedWriter {
  const lane = createLane(servers, scheduler);
  let last: Promise<void> = Promise.resolve();
  const write = async (statement: Statement): Promise<void> => {
    const began = stopwatchMs();
    for (;;) {
      const outcome = await lane.run(statement);
      if (outcome.kind === 'clean') {
        if (outcome.rows[0]?.held === 1) return;
        throw new LeaseLost('another process has the lease, or no standby holds what is committed');
      }
      if (stopwatchMs() - began > repeatedMs) {
        throw new Error(`PostgreSQL does not take it: ${outcome.why}`);
      }
      await new Promise<void>((resolve) => scheduler.after(pauseMs, resolve));
    }
  };
  return {
    write: (statement) => {
      const done = last.then(() => write(statement(writer)));
      last = done.catch(() => {});
      return done;
    },
    end: lane.end,
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
