// The tables of the log in PostgreSQL: a schema of their own, which the program makes and whose
// version it knows. One deployment has one such schema.

import type pg from 'pg';
import { must } from '../../std/assert.ts';
import { checkAdditions, makeAdditions } from './additions.ts';
import {
  dividedVersion,
  divisionStatements,
  firstEnding,
  partitionPositions,
} from './partitions.ts';
import { DatabaseRefused } from './serverFacts.ts';

export type TablesOwner = {
  /** Made together with the tables. */
  readonly deployment: string;
  readonly chain: number;
};

/** Whose tables this process may use; without `deployment` those of any of the chain. */
export type ExpectedOwner = {
  readonly deployment: string | undefined;
  readonly chain: number;
};

/** The newest version, and the oldest that this program works with: see divideLog.ts. */
const version = dividedVersion;
const oldestVersion = 2;
/** The key of the lock under which tables are made: the letters EVML. */
export const tablesLock = 0x45564d4c;

// The epoch is a key: then a takeover, which changes it, excludes the writes that lock the row for
// key share. The content of a batch is binary, and compressing it again costs more than it saves.
const creation = [
  'create schema if not exists evermark',
  'create table evermark.deployment (one boolean primary key default true check (one), ' +
    'version integer not null, deployment uuid not null, chain bigint not null)',
  'create table evermark.lease (epoch bigint primary key, ' +
    'one boolean not null unique default true check (one), holder text not null, ' +
    'address text not null, renewal bigint not null, renewed timestamptz not null, ' +
    'released boolean not null)',
  'create table evermark.batch (position bigint primary key check (position > 0), ' +
    'epoch bigint not null, previous_hash bytea not null, hash bytea not null, ' +
    'time bigint not null, engine_hash text not null, count integer not null, ' +
    'commands bytea not null)',
  'alter table evermark.batch alter commands set storage external',
  "insert into evermark.lease values (0, true, '', '', 0, clock_timestamp(), true)",
];

// Version 2: what the holder knows as durable; where the log is while it moves; the secrets, each
// sealed as in the secret store of a data directory; skip records.
const secondVersion = [
  'alter table evermark.lease add durable bigint not null default 0',
  "alter table evermark.deployment add state text not null default 'open' " +
    "check (state in ('open', 'filling', 'left'))",
  'create table evermark.master_key (one boolean primary key default true check (one), ' +
    'version integer not null, proof bytea not null)',
  'create table evermark.secret (api_key text primary key, master_version integer not null, ' +
    'data_key bytea not null, secret bytea not null)',
  'create table evermark.profile (ref text primary key, master_version integer not null, ' +
    'data_key bytea not null, label bytea not null, ip_whitelist bytea not null)',
  'create table evermark.last_used (api_key text primary key, at bigint not null)',
  'create table evermark.credential (name text primary key, master_version integer not null, ' +
    'data_key bytea not null, value bytea not null)',
  'create table evermark.skip (position bigint not null check (position > 0), ' +
    'index bigint not null check (index >= 0), primary key (position, index))',
];

/**
 * Makes the tables for this chain, or adds to older ones what this program needs; gives their
 * owner. New ones have partitions of so many positions; divideLog.ts divides older ones.
 */
export async function makeTables(
  client: pg.Client,
  chain: number,
  positions = partitionPositions,
): Promise<TablesOwner> {
  await client.query('begin');
  // Programs that begin at the same time make them once.
  await client.query('select pg_advisory_xact_lock($1)', [tablesLock]);
  const isNew = (await readOwner(client)) === undefined;
  if (isNew) {
    for (const statement of creation) await client.query(statement);
    const made = 'insert into evermark.deployment values (true, 1, gen_random_uuid(), $1)';
    await client.query(made, [chain]);
  }
  const owner = must(await readOwner(client), 'the tables have an owner');
  if (owner.version === 1 && owner.chain === chain) {
    for (const statement of secondVersion) await client.query(statement);
    await client.query('update evermark.deployment set version = 2');
  }
  if (owner.chain === chain) await makeAdditions(client);
  if (isNew) {
    await client.query('update evermark.deployment set partition_positions = $1', [positions]);
    const next = firstEnding(0, positions);
    for (const statement of divisionStatements(0, next)) await client.query(statement);
  }
  await client.query('commit');
  return checkTables(client, { deployment: undefined, chain });
}

/** The owner of the tables. Throws `DatabaseRefused` when they are absent or another's. */
export async function checkTables(
  client: pg.Client,
  expected: ExpectedOwner,
): Promise<TablesOwner> {
  const owner = await readOwner(client);
  if (owner === undefined) {
    throw new DatabaseRefused(
      'This database has no tables of a log: evermark cluster make makes them.',
    );
  }
  if (owner.version < oldestVersion || owner.version > version) {
    throw new DatabaseRefused(
      `The tables of the log have version ${owner.version}, and this program knows version ` +
        `${version}: ` +
        (owner.version < version
          ? 'evermark cluster make brings them there.'
          : 'start the program that made them.'),
    );
  }
  if (owner.chain !== expected.chain) {
    throw new DatabaseRefused(
      `The log in this database belongs to chain ${owner.chain}, not ${expected.chain}: every ` +
        'deployment needs its own database.',
    );
  }
  if (expected.deployment !== undefined && owner.deployment !== expected.deployment) {
    throw new DatabaseRefused(
      `The log in this database belongs to deployment ${owner.deployment}, not ` +
        `${expected.deployment}: every deployment needs its own database.`,
    );
  }
  await checkFence(client);
  await checkAdditions(client);
  const { deployment, chain } = owner;
  return { deployment, chain };
}

/** `filling`: a log is being moved here. `left`: it was moved from here to files. */
export type LogState = 'open' | 'filling' | 'left';

export type LogMove = {
  readonly state: LogState;
  /** The name of the move that fills the tables, or that emptied them of their deployment. */
  readonly mover: string | null;
};

export async function readLogMove(client: pg.Client): Promise<LogMove> {
  const { rows } = await client.query<LogMove>('select state, mover from evermark.deployment');
  return must(rows[0], 'the tables have an owner');
}

/** Throws `DatabaseRefused` unless the log of the deployment is here and whole. */
export async function checkLogHere(client: pg.Client): Promise<void> {
  const { state } = await readLogMove(client);
  if (state === 'open') return;
  throw new DatabaseRefused(
    state === 'filling'
      ? 'A move of a deployment into this database has begun and is not finished: type "evermark ' +
          'move" with the directory that it comes from.'
      : 'The deployment of this database was moved to files: start it from there, or move it ' +
          'back with "evermark move".',
  );
}

type OwnerRow = TablesOwner & { readonly version: number };

async function readOwner(client: pg.Client): Promise<OwnerRow | undefined> {
  const found = await client.query("select to_regclass('evermark.deployment') is not null as is");
  if (found.rows[0].is !== true) return undefined;
  const { rows } = await client.query<OwnerRow>(
    'select version, deployment, chain from evermark.deployment',
  );
  return rows[0];
}

const fenceQuery =
  'select from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0] ' +
  "where indrelid = 'evermark.lease'::regclass and attname = 'epoch' and indnkeyatts = 1 " +
  'and indisunique and indisvalid and indpred is null';

/** Without this index a takeover would not wait for the writes of the holder before it. */
async function checkFence(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(fenceQuery);
  if (rowCount === 1) return;
  throw new DatabaseRefused(
    'The unique index of the epoch in evermark.lease is not there, so a deposed process could ' +
      'still write: restore it with ALTER TABLE evermark.lease ADD UNIQUE (epoch).',
  );
}
