// Tables of the log as the former release made them: one table for all batches, version 2, and
// processes that do not say how far they have archived.

import type pg from 'pg';
import { makeTables } from '../../../src/log/postgres/tables.ts';

/** Into an empty database. */
export async function makeFormerTables(client: pg.Client, chain: number): Promise<void> {
  await makeTables(client, chain);
  for (const statement of [
    'create table evermark.former (like evermark.batch including all)',
    'drop table evermark.batch',
    'alter table evermark.former rename to batch',
    'drop table evermark.part',
    'alter table evermark.member drop column archived',
    'alter table evermark.deployment drop column partition_positions, drop column removed, ' +
      'drop column removed_hash',
    'update evermark.deployment set version = 2',
  ]) {
    await client.query(statement);
  }
}
