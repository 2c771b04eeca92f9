// A lane carries one statement at a time to the server that takes writes. It knows only two
// results: the clean answer, and doubt. An error is doubt too: a server that is being stopped
// reports an error for a statement whose commit it has already written.

import { assert } from '../../std/assert.ts';
import type { Scheduler } from '../../std/scheduler.ts';
import type { Servers } from './createServers.ts';
import { askBriefly, endClient, type Session } from './openSession.ts';
import type { Statement } from './statement.ts';

export type Row = Readonly<Record<string, unknown>>;

export type Clean = {
  readonly kind: 'clean';
  readonly rowCount: number;
  readonly rows: readonly Row[];
};

export type Outcome = Clean | { readonly kind: 'doubt'; readonly why: string };

export type Lane = {
  readonly isIdle: () => boolean;
  /** Runs the statement, over a new connection if there is none. It never rejects. */
  readonly run: (statement: Statement) => Promise<Outcome>;
  /** Ends the connection; a statement that runs ends in doubt. */
  readonly end: () => void;
};

/** How often the server is asked whether it still works on a statement without an answer. */
const silentMs = 2000;

/** It connects at once, so that its first statement need not wait for that. */
export function createLane(servers: Servers, scheduler: Scheduler): Lane {
  let session: Session | undefined;
  let notice: string | undefined;
  let busy = false;
  let ended = false;
  let leave: (() => void) | undefined;

  const connect = async (): Promise<Session> => {
    const made = await servers.connect();
    made.client.on('notice', ({ message }) => {
      notice = message ?? 'a warning';
    });
    return made;
  };
  const early = createEarlySession(connect);
  const drop = (): void => {
    if (session !== undefined) endClient(session.client);
    session = undefined;
  };
  const execute = async ({ client }: Session, statement: Statement): Promise<Outcome> => {
    notice = undefined;
    // The driver answers when the server is ready again, so after the commit and after each
    // warning.
    const { rows, rowCount } = await client.query({ ...statement, values: [...statement.values] });
    if (notice !== undefined) throw new Error(notice);
    return { kind: 'clean', rows, rowCount: rowCount ?? 0 };
  };
  const run = async (statement: Statement): Promise<Outcome> => {
    assert(!busy, 'a lane carries one statement at a time');
    busy = true;
    let stopWatching = (): void => {};
    try {
      session ??= await early.take();
      if (ended) throw new Error('the connection was ended');
      const left = new Promise<never>((_, reject) => {
        leave = () => reject(new Error('the connection was left'));
      });
      stopWatching = watch(session, { servers, scheduler, leave: () => leave?.() });
      return await Promise.race([execute(session, statement), left]);
    } catch (error) {
      // What still runs on this connection is unknown.
      drop();
      return { kind: 'doubt', why: (error as Error).message };
    } finally {
      stopWatching();
      leave = undefined;
      busy = false;
    }
  };
  const end = (): void => {
    ended = true;
    leave?.();
    drop();
    early.end();
  };
  return { isIdle: () => !busy, run, end };
}

/** A session that is made before it is needed; after it, and after its failure, others are. */
function createEarlySession(connect: () => Promise<Session>) {
  let early: Promise<Session | undefined> | undefined = connect().catch(() => undefined);
  return {
    take: async (): Promise<Session> => {
      const made = await early;
      early = undefined;
      return made ?? connect();
    },
    end: (): void => void early?.then((made) => made && endClient(made.client)),
  };
}

type Watch = {
  readonly servers: Servers;
  readonly scheduler: Scheduler;
  readonly leave: () => void;
};

/**
 * Leaves a connection whose server no longer works on its statement: the answer was lost, or the
 * network has swallowed the statement. A server that waits for its standby works on it. Without
 * this question each attempt against a standing standby would leave one more connection behind.
 */
function watch(session: Session, { servers, scheduler, leave }: Watch): () => void {
  let stopped = false;
  let cancel = (): void => {};
  const again = (): void => {
    cancel = scheduler.after(silentMs, () => {
      void isAtWork(session, servers).then((atWork) => {
        if (stopped) return;
        if (atWork === false) leave();
        else again();
      });
    });
  };
  again();
  return () => {
    stopped = true;
    cancel();
  };
}

/** undefined: no server answers the question. */
async function isAtWork(session: Session, servers: Servers): Promise<boolean | undefined> {
  try {
    const other = await servers.connect();
    try {
      if (other.url !== session.url || other.facts.timeline !== session.facts.timeline) {
        return false;
      }
      const { rows } = await askBriefly(
        other.client,
        "select from pg_stat_activity where pid = $1 and state = 'active'",
        [session.facts.servedBy],
      );
      return rows.length === 1;
    } finally {
      endClient(other.client);
    }
  } catch {
    return undefined;
  }
}
