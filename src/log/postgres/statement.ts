// Every statement of the log on PostgreSQL. Each is one statement that the server runs and commits
// by itself: no transaction ever waits for this process, so one that stands still holds no lock.
//
// The fence: a write locks the row of the lease `for key share` and needs its epoch and its holder
// there. A takeover changes the epoch, which is a unique key, and so it waits for the writes that
// run and refuses those that come later. A renewal changes no key, and disturbs no write. The
// holder is part of the fence because a database that was restored to the past grants the same
// epoch again.

import type { LogHead } from '../log.ts';
import type { Lease } from './candidacy.ts';
import { tailLength } from './readTail.ts';
import type { Flight } from './tenure.ts';

/** A statement with its values; the server keeps its plan by its name. */
export type Statement = {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
};

/** Who writes, and whether the operator has declared that the storage itself is replicated. */
export type Writer = {
  readonly epoch: number;
  readonly holder: string;
  readonly replicatedStorage: boolean;
};

/** Without the name of a standby the server would not wait for one. */
export const guardedBy = (replicatedStorage: string): string =>
  `(${replicatedStorage}::boolean or current_setting('synchronous_standby_names') <> '')`;

export const guarded = guardedBy('$3');

export const heldClause =
  'with held as materialized (select epoch from evermark.lease ' +
  `where epoch = $1 and holder = $2 and ${guarded} for key share) `;

export const writerValues = ({ epoch, holder, replicatedStorage }: Writer): unknown[] => [
  epoch,
  holder,
  replicatedStorage,
];

/**
 * The log may have thousands of partitions, and a plan that names a position by its value only
 * would lock them all. With a range in the text the server plans for those of the range alone,
 * whatever their sizes are.
 */
const planRange = 1_000_000;
const rangeFloor = (position: number): number => position - (position % planRange);
const inRange = (name: string, floor: number): string => (floor === 0 ? name : `${name} ${floor}`);

/**
 * Adds the batch: one row if the writer has the lease and the batch that it knows as durable is
 * there, else none. A database that was put back to the past must not take another batch.
 */
export function writeStatement(writer: Writer, flight: Flight, durable: LogHead): Statement {
  const { position, previousHash, hash, time, engineHash, count, commands, origins } = flight;
  const floor = rangeFloor(durable.position);
  return {
    name: inRange('write', floor),
    text:
      `${heldClause}insert into evermark.batch ` +
      '(position, epoch, previous_hash, hash, time, engine_hash, count, commands, origins) ' +
      'select $4::bigint, epoch, $5::bytea, $6::bytea, $7::bigint, $8::text, $9::integer, ' +
      '$10::bytea, $13::bytea from held where $11::bigint = 0 or exists ' +
      `(select from evermark.batch where position >= ${floor} ` +
      `and position < ${floor + planRange} and position = $11::bigint and hash = $12::bytea)`,
    values: [
      ...writerValues(writer),
      ...[position, previousHash, hash, time, engineHash, count, commands],
      ...[durable.position, durable.hash, origins ?? null],
    ],
  };
}

/**
 * Removes what stands behind a hole, but nothing of the writer's own epoch: when its connection was
 * lost, the server may run it long after the writer has repeated it and gone on.
 */
export function cutStatement(writer: Writer, after: number): Statement {
  return {
    name: 'cut',
    text:
      `${heldClause}delete from evermark.batch using held ` +
      'where position > $4 and batch.epoch < $1',
    values: [...writerValues(writer), after],
  };
}

/**
 * Renews the lease and reads the places of the last batches and of the batch at `known`; no row
 * when the lease is another's, and a row without a position when the log is empty. It reads before
 * it commits, so its commit covers what it has read. Others learn from it that the log is durable
 * up to `known`, whatever becomes of the renewal itself.
 */
export function renewStatement(
  { epoch, holder }: Writer,
  { renewal, known }: { readonly renewal: number; readonly known: number },
): Statement {
  const floor = rangeFloor(Math.max(0, known - tailLength));
  return {
    name: inRange('renew', floor),
    text:
      'with renewed as (update evermark.lease set renewal = $4, renewed = ' +
      'clock_timestamp(), durable = greatest(durable, $3::bigint) ' +
      'where epoch = $1 and holder = $2 and not released returning epoch), ' +
      `last as (select position from evermark.batch where position >= ${floor} ` +
      `order by position desc limit ${tailLength}), ` +
      'chosen as (select position from last union select $3::bigint) ' +
      "select current_setting('synchronous_standby_names') <> '' as guarded, " +
      'batch.position, hash, previous_hash, time from renewed left join ' +
      `(chosen join (select * from evermark.batch where position >= ${floor}) there ` +
      'using (position)) batch on true',
    values: [epoch, holder, known, renewal],
  };
}

/** Gives the lease back, so that the next process need not wait for its end. */
export function releaseStatement({ epoch, holder }: Writer): Statement {
  return {
    name: 'release',
    text: 'update evermark.lease set released = true where epoch = $1 and holder = $2',
    values: [epoch, holder],
  };
}

/** The process that the holder gives its lease to. */
export type Heir = { readonly holder: string; readonly address: string };

/**
 * Gives the lease to another process, which begins the next epoch. Like a takeover it waits for the
 * writes that run, and refuses those that come later.
 */
export function handOverStatement({ epoch, holder }: Writer, heir: Heir): Statement {
  return {
    name: 'hand over',
    text:
      'update evermark.lease set epoch = epoch + 1, holder = $3, address = $4, renewal = 0, ' +
      'renewed = clock_timestamp() where epoch = $1 and holder = $2 and not released',
    values: [epoch, holder, heir.holder, heir.address],
  };
}

/** Shows the lease and the database's clock. */
export const lookStatement: Statement = {
  name: 'look',
  text:
    'select epoch, holder, renewal, released, address, durable, ' +
    'extract(epoch from clock_timestamp())::float8 * 1000 as now from evermark.lease',
  values: [],
};

/** Takes the lease over, if it is still as it was seen. */
export function takeOverStatement(from: Lease, { holder, address }: Heir): Statement {
  return {
    name: 'take over',
    text:
      'update evermark.lease set epoch = epoch + 1, holder = $1, address = $2, renewal = 0, ' +
      'released = false, renewed = clock_timestamp() ' +
      'where epoch = $3 and holder = $4 and renewal = $5',
    values: [holder, address, from.epoch, from.holder, from.renewal],
  };
}

/** The batches from one position to another, at least one, and then as many as `bytes` allow. */
export function readStatement(from: number, to: number, bytes: number): Statement {
  return {
    name: 'read',
    text:
      'select position, previous_hash, hash, time, engine_hash, count, commands, origins ' +
      'from (select *, ' +
      'sum(octet_length(commands)) over (order by position) - octet_length(commands) as before ' +
      'from (select * from evermark.batch where position >= $1 and position <= $2 ' +
      'order by position limit 2000) part) counted where before < $3 order by position',
    values: [from, to, bytes],
  };
}
