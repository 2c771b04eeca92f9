// The connections of history to PostgreSQL: its tables are in a schema of their own, and its whole
// numbers become numbers.

import pg from 'pg';
import { safeInteger } from '../tables.ts';

/** A schema of its own, because the database may serve others too. */
export const schemaName = 'history';

export type PoolOptions = {
  readonly databaseUrl: string;
  readonly connections: number;
  /** Settings of the session by name. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** The client cancels a query after this time, when not even its end is answered; 0: never. */
  readonly queryMs: number;
};

const connectMs = 5000;
const keepAliveMs = 10_000;

/** Connects at the first request for a connection; a lost connection is replaced. */
export function createPool({ databaseUrl, connections, settings, queryMs }: PoolOptions): pg.Pool {
  const session = Object.entries({ search_path: schemaName, ...settings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  const pool = new pg.Pool({
    connectionString: withOptions(databaseUrl, session),
    max: connections,
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    types: { getTypeParser: parserOf },
  });
  // The loss of an idle connection is no failure. A query on a lost connection fails by itself.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** The settings follow those in the address. */
function withOptions(databaseUrl: string, session: string): string {
  const [address = '', query = ''] = databaseUrl.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('options', [parameters.get('options') ?? '', session].join(' ').trim());
  return `${address}?${parameters.toString().replaceAll('+', '%20')}`;
}

const wholeNumbers: ReadonlySet<number> = new Set([
  pg.types.builtins.INT8,
  pg.types.builtins.NUMERIC,
]);

/** Columns are BIGINT; a sum of them is NUMERIC, and whole as well. */
function parserOf(type: number, format?: 'text' | 'binary'): (text: string) => unknown {
  return wholeNumbers.has(type) ? wholeNumberOf : pg.types.getTypeParser(type, format as 'text');
}

const wholeNumberOf = (text: string): number => safeInteger(Number(text));
