// The table of the batches as partitions, each with a range of positions, so that old batches can
// be removed without a trace. Here are the statements; keepPartitions.ts makes partitions ahead,
// and divideLog.ts divides the table of an earlier release.

import pg from 'pg';
import type { Statement, Writer } from './statement.ts';
import { guardedBy } from './statement.ts';

/** Where the partitions end, and how many positions each has. */
export type Partitions = { readonly next: number; readonly positions: number };

/** How many positions a partition has, unless the tables were made with another number. */
export const partitionPositions = 1_000_000;

/** The first version of the tables that has partitions. */
export const dividedVersion = 3;

/**
 * A statement that makes partitions until more than a whole one lies ahead of `position`. It does
 * nothing where the table has no partitions. A partition is made first and then attached: that
 * locks the other ones for no write. Its name says where it begins.
 */
const aheadBlock = (position: number, condition: string): string =>
  'do $ahead$ declare ending bigint; size bigint; begin ' +
  // Whatever holds the locks, the lease must not wait for this statement.
  "perform set_config('lock_timeout', '500ms', true); " +
  `${condition} ` +
  'select partition_positions into size from evermark.deployment ' +
  `where version >= ${dividedVersion}; ` +
  'select max(next) into ending from evermark.part; ' +
  `while ending <= ${position} + size loop ` +
  "execute format('create table evermark.batch_%s (like evermark.batch including all)', ending); " +
  "execute format('alter table evermark.batch attach partition evermark.batch_%s ' || " +
  "'for values from (%s) to (%s)', ending, ending, ending + size); " +
  'insert into evermark.part values (ending, ending + size); ' +
  'ending := ending + size; end loop; end $ahead$';

/** Makes the next partitions if the writer has the lease, and fails otherwise. */
export function aheadStatement(writer: Writer, position: number): Statement {
  const { epoch, holder, replicatedStorage } = writer;
  const condition =
    `perform 1 from evermark.lease where epoch = ${Number(epoch)} ` +
    `and holder = ${pg.escapeLiteral(holder)} ` +
    `and ${guardedBy(String(replicatedStorage))} for key share; ` +
    "if not found then raise exception 'another process has the lease, or no standby holds " +
    "what is committed'; end if;";
  // A block takes no values, so each has a name of its own.
  return { name: `ahead of ${position}`, text: aheadBlock(position, condition), values: [] };
}

/** Where the partitions end, and how many positions each has; no row when there are none. */
export const partsStatement: Statement = {
  name: 'parts',
  text:
    'select max(next) as next, partition_positions as positions ' +
    'from evermark.deployment join evermark.part on true ' +
    `where version >= ${dividedVersion} group by partition_positions`,
  values: [],
};

/** A partition that ends before `next`, with its last batch. */
export type EndedPartition = {
  readonly first: number;
  readonly next: number;
  readonly position: number;
  readonly hash: Buffer;
};

/** Removes the oldest partition, if it is this one and still ends with this batch. */
export function removalStatement({ first, next, position, hash }: EndedPartition): string {
  const hex = hash.toString('hex');
  return (
    'do $remove$ begin ' +
    `if (select min(first) from evermark.part) is distinct from ${first} or not exists ` +
    `(select from evermark.batch where position = ${position} ` +
    `and hash = decode('${hex}', 'hex')) then ` +
    "raise exception 'another program has removed the partition meanwhile'; end if; " +
    `alter table evermark.batch detach partition evermark.batch_${first}; ` +
    `drop table evermark.batch_${first}; ` +
    `delete from evermark.part where first = ${first}; ` +
    `update evermark.deployment set removed = ${next - 1}, ` +
    `removed_hash = decode('${hex}', 'hex'); end $remove$`
  );
}

/** How the range of a table of an earlier release is declared before it becomes a partition. */
export const boundName = (next: number | '%'): string => `type_evermark_cluster_make_again_${next}`;

/**
 * Makes the table of an earlier release the first partition, which ends before `next`, inside of a
 * transaction. With the constraint `boundName` the server need not read the table.
 */
export function divisionStatements(position: number, next: number): string[] {
  return [
    'alter table evermark.batch rename to batch_0',
    'create table evermark.batch (like evermark.batch_0 including defaults including storage, ' +
      'constraint batch_position_check check (position > 0), primary key (position)) ' +
      'partition by range (position)',
    'alter table evermark.batch attach partition evermark.batch_0 ' +
      `for values from (minvalue) to (${next})`,
    `alter table evermark.batch_0 drop constraint if exists ${boundName(next)}`,
    `insert into evermark.part values (0, ${next})`,
    `update evermark.deployment set version = ${dividedVersion}`,
    aheadBlock(position, ''),
  ];
}

/** The first partition of a log that ends at `position`: room for at least half a range. */
export const firstEnding = (position: number, positions: number): number =>
  Math.ceil((position + positions / 2) / positions) * positions;
