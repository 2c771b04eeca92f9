// One connection to one server, checked: its facts are read before anything is changed, then the
// settings are pinned that a promise depends on.

import pg from 'pg';
import {
  DatabaseRefused,
  factsQuery,
  pinnedSettings,
  type ServerFacts,
  whyRefused,
} from './serverFacts.ts';

export type SessionOptions = {
  /** `postgres://…` of one server. */
  readonly url: string;
  /** How the server's list of sessions calls it. */
  readonly applicationName: string;
  readonly replicatedStorage: boolean;
  /**
   * A query without an answer in that time rejects, and the connection must not be used then. By
   * default a query waits as long as its connection lives, as a write does for its standby.
   */
  readonly queryMs?: number | undefined;
};

export type Session = {
  readonly client: pg.Client;
  /** The address, without user and password. */
  readonly name: string;
  readonly url: string;
  readonly facts: ServerFacts;
};

const connectMs = 5000;
const keepAliveMs = 5000;
/** What no lock and no standby can delay is answered in this time, or the server is gone. */
const answerMs = 5000;

/**
 * Connects, checks and pins. Throws `DatabaseRefused` when the server answers and cannot hold the
 * log, and the driver's error when it does not answer.
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { url, applicationName, replicatedStorage } = options;
  const name = hostName(url);
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: connectMs,
    query_timeout: options.queryMs ?? 0,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    types: { getTypeParser: parserOf },
  });
  // A lost connection is reported by the statement that runs on it.
  client.on('error', () => {});
  try {
    await client.connect();
    const facts = await readFacts(client);
    const why = whyRefused(facts, { name, replicatedStorage });
    if (why !== undefined) throw new DatabaseRefused(why);
    const pins = Object.entries(pinnedSettings).map(([key, value]) => `set ${key} = '${value}'`);
    await askBriefly(client, pins.join('; '));
    return { client, name, url, facts };
  } catch (error) {
    endClient(client);
    if (error instanceof DatabaseRefused) throw error;
    throw new Error(`PostgreSQL at ${name}: ${(error as Error).message}`, { cause: error });
  }
}

/** Asks what only reads. Rejects when no answer comes; the connection must not be used then. */
export function askBriefly(
  client: pg.Client,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult> {
  // The driver takes the limit with each query, and its types leave it out.
  return client.query({ text, values, query_timeout: answerMs } as pg.QueryConfig);
}

/** Ends the connection without waiting for anything that runs on it. */
export function endClient(client: pg.Client): void {
  client.end().catch(() => {});
}

/** `host:port/database` of an address. */
export function hostName(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || '5432'}${pathname}`;
}

async function readFacts(client: pg.Client): Promise<ServerFacts> {
  const { rows } = await askBriefly(client, factsQuery);
  const [row] = rows;
  return {
    version: row.version,
    recovering: row.recovering,
    readOnly: row.read_only,
    timeline: row.timeline,
    synchronousCommit: row.synchronous_commit,
    standbyNames: row.standby_names,
    fsync: row.fsync,
    fullPageWrites: row.full_page_writes,
    servedBy: row.served_by,
    // The driver keeps it for cancelling, and its types leave it out.
    greetedBy: (client as unknown as { readonly processID: number }).processID,
  };
}

/** Whole numbers of eight bytes are positions and times, which fit. */
function parserOf(type: number, format?: 'text' | 'binary'): (text: string) => unknown {
  return type === pg.types.builtins.INT8
    ? wholeNumber
    : pg.types.getTypeParser(type, format as 'text');
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new Error(`${text} is beyond the numbers of the log`);
  return number;
}
