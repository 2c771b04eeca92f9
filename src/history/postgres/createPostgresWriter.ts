// The writer of history in PostgreSQL: COPY for what is new, arrays for what changes, in one
// transaction.
// Whoever writes beside it, or before it on a connection that was lost, meets it at the row of the
// place, which every transaction takes first.

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
  /** A server that does not answer a statement for so long has failed. */
  readonly answerMs?: number | undefined;
};

/** A transaction whose client is gone lets go of the place after so long. */
const idleMs = 30_000;
const rowsOfStatement = 500;
/**
 * Rows that change are found by their keys. Left to itself the server plans that while a table is
 * small, and then walks over all of it when it is not.
 */
const byKey = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' };
/** Of the lock under which tables are made: the letters EVMH. */
const migrationLock = 0x45564d48;

/** `open` makes schema and tables when there are none; the database itself must be there. */
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

/** A connection on which anything failed is not used again: what it still does is unknown. */
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

/** One program after the other. Who may not make a schema can be given one that is there. */
async function makeTables(client: pg.PoolClient, chain: number): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
  const schema = await client.query('select from pg_namespace where nspname = $1', [schemaName]);
  if (schema.rowCount === 0) await client.query(`create schema ${schemaName}`);
  const connection = { query: client.query.bind(client), release: () => {} };
  const database = postgresQueries({ connect: async () => connection, end: async () => {} });
  await migrate({ database, kind: 'postgres', chain });
}

/** Waits for a transaction that a lost connection of ours has not ended, and sees what it wrote. */
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
