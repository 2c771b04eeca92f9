// What releases have added to the tables of the log. A program that does not know an addition does
// not notice it, so the version of the tables stays.

import type pg from 'pg';
import { partitionPositions } from './partitions.ts';
import { DatabaseRefused } from './serverFacts.ts';

/** Each with the column that shows it. */
const additions: readonly {
  readonly table: string;
  readonly column: string;
  readonly statement: string;
}[] = [
  {
    table: 'evermark.member',
    column: 'process',
    statement:
      'create table if not exists evermark.member (process text primary key, ' +
      'address text not null, release text not null, engine_hash text not null, ' +
      'role text not null, position bigint not null, beat bigint not null, ' +
      'seen timestamptz not null)',
  },
  {
    table: 'evermark.wish',
    column: 'heir',
    statement:
      'create table if not exists evermark.wish (one boolean primary key default true ' +
      'check (one), holder text not null, heir text not null, answer text)',
  },
  {
    table: 'evermark.deployment',
    column: 'mover',
    statement: 'alter table evermark.deployment add if not exists mover text',
  },
  {
    table: 'evermark.batch',
    column: 'origins',
    statement: 'alter table evermark.batch add column if not exists origins bytea',
  },
  {
    table: 'evermark.engine',
    column: 'sources',
    statement:
      'create table if not exists evermark.engine (hash text primary key, sources bytea not null)',
  },
  {
    table: 'evermark.secret',
    column: 'made',
    statement:
      'alter table evermark.secret add column if not exists ' +
      'made timestamptz not null default clock_timestamp()',
  },
  {
    table: 'evermark.profile',
    column: 'made',
    statement:
      'alter table evermark.profile add column if not exists ' +
      'made timestamptz not null default clock_timestamp()',
  },
  // How far the archive of a process reaches; null: its release does not say it.
  {
    table: 'evermark.member',
    column: 'archived',
    statement: 'alter table evermark.member add column if not exists archived bigint',
  },
  {
    table: 'evermark.deployment',
    column: 'partition_positions',
    statement:
      'alter table evermark.deployment add column if not exists ' +
      `partition_positions bigint not null default ${partitionPositions}`,
  },
  // The last batch that was removed, with its hash.
  {
    table: 'evermark.deployment',
    column: 'removed',
    statement:
      'alter table evermark.deployment add column if not exists removed bigint not null default 0',
  },
  {
    table: 'evermark.deployment',
    column: 'removed_hash',
    statement:
      'alter table evermark.deployment add column if not exists removed_hash bytea not null ' +
      "default decode(repeat('00', 32), 'hex')",
  },
  // The partitions of evermark.batch; none: it is one table.
  {
    table: 'evermark.part',
    column: 'next',
    statement:
      'create table if not exists evermark.part (first bigint primary key, ' +
      'next bigint not null unique check (next > first))',
  },
];

/** Adds what is not there yet. */
export async function makeAdditions(client: pg.Client): Promise<void> {
  for (const { statement } of additions) await client.query(statement);
}

const columnQuery =
  'select from pg_attribute where attrelid = to_regclass($1) and attname = $2 and not attisdropped';

/** Throws `DatabaseRefused` when something is not there. */
export async function checkAdditions(client: pg.Client): Promise<void> {
  for (const { table, column } of additions) {
    const { rowCount } = await client.query(columnQuery, [table, column]);
    if (rowCount === 1) continue;
    throw new DatabaseRefused(
      `The tables of the log were made by an earlier release, and ${table}.${column} is not ` +
        'there: evermark cluster make adds what is new.',
    );
  }
}
