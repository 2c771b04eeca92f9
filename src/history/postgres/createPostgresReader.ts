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
  /** The server gives a query up after so long. */
  readonly statementMs: number;
};

/** How long the client waits for the server's word that it gave a query up. */
const graceMs = 1000;

/** Queries that cannot write. */
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

/** A connection that is not given back when anything but the server's word ended a query on it. */
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
