// Kysely over connections to PostgreSQL that read history.

import {
  CamelCasePlugin,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
} from 'kysely';
import pg from 'pg';
import type { HistoryDatabase, HistoryTables } from '../historyTables.ts';
import { createPool } from './createPool.ts';

export type PostgresReaderOptions = {
  readonly databaseUrl: string;
  readonly connections: number;
  /** The server cancels a query after this time. */
  readonly statementMs: number;
};

/** How long the client waits for the server's report that it cancelled a query. */
const graceMs = 1000;

/** Queries over connections that cannot write. */
export function createPostgresReader(options: PostgresReaderOptions): HistoryDatabase {
  const { databaseUrl, connections, statementMs } = options;
  const settings = { default_transaction_read_only: 'on', statement_timeout: statementMs };
  const queryMs = statementMs + graceMs;
  const pool = createPool({ databaseUrl, connections, settings, queryMs });
  return postgresQueries({ connect: () => borrow(pool), end: () => pool.end() });
}

/** Queries over the pool's connections; `destroy` ends the pool. */
export function postgresQueries(pool: PostgresPool): HistoryDatabase {
  const dialect = new PostgresDialect({ pool });
  return new Kysely<HistoryTables>({ dialect, plugins: [new CamelCasePlugin()] });
}

/**
 * A connection goes back to the pool only when each of its queries ended with the server's answer.
 */
async function borrow(pool: pg.Pool): Promise<PostgresPoolClient> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    try {
      return await client.query(text, [...values]);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) broken = error as Error;
      throw error;
    }
  };
  return {
    query: query as PostgresPoolClient['query'],
    release: () => client.release(broken),
  };
}
