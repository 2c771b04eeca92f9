// The writer of history in PostgreSQL: COPY for new rows, arrays for changed rows, in one
// transaction. Every transaction first locks the row of the place. There it meets a concurrent
// writer, and an earlier transaction of its own on a lost connection.

import type pg from 'pg';
import { failureOf, placeMoved, rowMissing } from '../failureOf.ts';
import {
  DatabaseFailed,
  type HistoryPlace,
  type HistoryRows,
  type HistoryWriter,
} from '../history.ts';
import type { PlaceRow } from '../historyTables.ts';
import { migrate } from '../migrations/migrate.ts';
import { cellsOfPlace, placeOf } from '../placeOf.ts';
import type { ChangingTable } from '../rows.ts';
import { changingTables, tableNames } from '../tables.ts';
import { columnArrays, updateOf } from './columnArrays.ts';
import { copyRows } from './copyRows.ts';
import { createPool, schemaName } from './createPool.ts';
import { postgresQueries } from './createPostgresReader.ts';

export type PostgresWriterOptions = {
  readonly databaseUrl: string;
  readonly chain: number;
  /** A server that does not answer a statement within this time has failed. */
  readonly answerMs?: number | undefined;
};

/** A transaction whose client is gone releases the place after this time. */
const idleMs = 30_000;
const rowsOfStatement = 500;
/**
 * Changed rows are found by their keys. Without these settings the server makes its plan while a
 * table is small, and later scans the whole table.
 */
const byKey = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' };
/** The key of the lock under which tables are made: the letters EVMH. */
const migrationLock = 0x45564d48;

/** `open` makes schema and tables when they do not exist; the database itself must exist. */
export function createPostgresWriter(options: PostgresWriterOptions): HistoryWriter {
  const { databaseUrl, chain, answerMs = 60_000 } = options;
  const settings = { idle_in_transaction_session_timeout: idleMs, ...byKey };
  const pool = createPool({ databaseUrl, connections: 1, settings, queryMs: answerMs });
  let open = false;
  return {
    open: async () => {
      try {
        await inTransaction(pool, (client) => makeTables(client, chain));
        const place = await inTransaction(pool, readPlace);
        open = true;
        return place;
      } catch (error) {
        open = false;
        throw failureOf(error);
      }
    },
    write: async (rows, from, to) => {
      if (!open) throw new DatabaseFailed('history is not open');
      try {
        await inTransaction(pool, (client) => writeRows(client, { rows, from, to }));
      } catch (error) {
        open = false;
        throw failureOf(error);
      }
    },
    close: () => pool.end(),
  };
}

/** After any failure a connection is not used again: its remaining work is unknown. */
async function inTransaction<T>(
  pool: pg.Pool,
  step: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await step(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

/**
 * One program at a time makes the tables. A user without the right to make a schema can be given an
 * existing one.
 */
async function makeTables(client: pg.PoolClient, chain: number): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
  const schema = await client.query('select from pg_namespace where nspname = $1', [schemaName]);
  if (schema.rowCount === 0) await client.query(`create schema ${schemaName}`);
  const connection = { query: client.query.bind(client), release: () => {} };
  const database = postgresQueries({ connect: async () => connection, end: async () => {} });
  await migrate({ database, kind: 'postgres', chain });
}

/**
 * Waits for a transaction that this writer left open on a lost connection, and sees what it wrote.
 */
async function readPlace(client: pg.PoolClient): Promise<HistoryPlace> {
  const { rows } = await client.query<PlaceRow>('select * from place for update');
  return placeOf(rows[0]!);
}

type Write = {
  readonly rows: HistoryRows;
  readonly from: HistoryPlace;
  readonly to: HistoryPlace;
};

async function writeRows(client: pg.PoolClient, { rows, from, to }: Write): Promise<void> {
  const moved = await client.query(movePlace, [...cellsOfPlace(to), from.position, from.hash]);
  if (moved.rowCount !== 1) {
    throw placeMoved();
  }
  for (const name of tableNames) {
    if (rows[name].length > 0) await copyRows(client, name, rows[name]);
  }
  for (const name of changingTables) await changeRows(client, name, rows.changed[name]);
}

async function changeRows(
  client: pg.PoolClient,
  name: ChangingTable,
  rows: readonly object[],
): Promise<void> {
  for (let begin = 0; begin < rows.length; begin += rowsOfStatement) {
    const part = rows.slice(begin, begin + rowsOfStatement);
    const values = columnArrays(name, part);
    const { rowCount } = await client.query({ name, text: updateOf(name), values });
    if (rowCount === part.length) continue;
    throw rowMissing(name);
  }
}

const movePlace =
  'update place set position = $1, hash = $2, time = $3, counters = $4 ' +
  'where position = $5 and hash = $6';
