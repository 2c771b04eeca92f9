// The file of history in SQLite as an operator copies it: whole by itself once it is closed,
// although readers have it open, and with a write-ahead file that does not stay as large as it once
// was.

import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openHistoryReader } from '../../src/history/openHistoryReader.ts';
import { openHistoryWriter, sqliteFileOf } from '../../src/history/openHistoryWriter.ts';
import { openSqlite } from '../../src/history/sqlite/openSqlite.ts';
import { noHistoryRows } from '../fixtures/drawHistoryRows.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';

test('a closed history is complete in its one file, even while a reader has it open', async () => {
  using directory = createTemporaryDirectory();
  const where = { databaseUrl: undefined, directory: directory.path };
  const writer = openHistoryWriter({ ...where, chain: 43113 });
  await writer.open();
  const reader = openHistoryReader(where);
  expect(await reader.selectFrom('place').selectAll().execute()).toHaveLength(1);
  await writer.close();
  const file = sqliteFileOf(directory.path);
  expect(statSync(`${file}-wal`).size).toBe(0);
  const copy = join(directory.path, 'copy.db');
  copyFileSync(file, copy);
  const copied = new Database(copy, { readonly: true });
  expect(copied.prepare('select position from place').all()).toEqual([{ position: 0 }]);
  copied.close();
  await reader.destroy();
});

test('rows of a quiet exchange go to the main file in portions, those of a busy one do not', async () => {
  using directory = createTemporaryDirectory();
  const writer = openHistoryWriter({
    databaseUrl: undefined,
    directory: directory.path,
    chain: 43113,
  });
  let place = await writer.open();
  let written = 0;
  const write = async (count: number): Promise<void> => {
    const fundingRates = Array.from({ length: count }, (_, index) => {
      const id = written + index + 1;
      return { id, market: 0, boundary: id, rate: 1, mark: 1 };
    });
    const next = { ...place, position: place.position + 1 };
    await writer.write({ ...noHistoryRows, fundingRates } as never, place, next);
    place = next;
    written += count;
  };
  const file = sqliteFileOf(directory.path);
  /** The position in the main file alone. */
  const copied = (): unknown => {
    const copy = join(directory.path, 'alone.db');
    copyFileSync(file, copy);
    const database = new Database(copy, { readonly: true });
    const row = database.prepare('select position from place').get();
    database.close();
    return row;
  };
  await write(4000);
  const before = statSync(file).size;
  await write(20_000);
  expect(statSync(file).size).toBe(before);
  await write(10);
  expect(copied()).toEqual({ position: 3 });
  await write(4000);
  expect(copied()).toEqual({ position: 3 });
  await write(1000);
  expect(copied()).toEqual({ position: 5 });
  await writer.close();
});

test('a write-ahead file that grew because of a long reader becomes small again', () => {
  using directory = createTemporaryDirectory();
  const file = join(directory.path, 'grown.db');
  const database = openSqlite(file, { readonly: false });
  const limit = Number(database.pragma('journal_size_limit', { simple: true }));
  const pages = Number(database.pragma('wal_autocheckpoint', { simple: true }));
  expect(limit).toBe(pages * Number(database.pragma('page_size', { simple: true })));
  // The same with small numbers: the limit decides the remaining size of the file.
  database.pragma('journal_size_limit = 65536');
  database.pragma('wal_autocheckpoint = 8');
  database.exec('create table rows (text text)');
  const insert = database.prepare('insert into rows values (?)');
  const long = openSqlite(file, { readonly: true });
  long.exec('begin');
  long.prepare('select count(*) from rows').get();
  for (let row = 0; row < 200; row += 1) insert.run('x'.repeat(4096));
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(500_000);
  long.exec('rollback');
  for (let row = 0; row < 20; row += 1) insert.run('x'.repeat(4096));
  expect(statSync(`${file}-wal`).size).toBeLessThanOrEqual(65_536);
  long.close();
  database.close();
});
