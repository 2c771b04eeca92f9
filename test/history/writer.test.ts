// The writer of history on both databases: what it wrote is read back, rows and place move together
// or not at all, and it refuses tables that are not its own.

import { expect, test } from 'vitest';
import {
  HistoryForked,
  type HistoryPlace,
  type HistoryRows,
  HistoryTooNew,
  HistoryTooOld,
  type HistoryWriter,
} from '../../src/history/history.ts';
import type { HistoryTables } from '../../src/history/historyTables.ts';
import { indexName } from '../../src/history/migrations/createTable.ts';
import { addedIndexes, replacedIndexes } from '../../src/history/migrations/indexFilters.ts';
import { openHistoryReader } from '../../src/history/openHistoryReader.ts';
import { openHistoryWriter } from '../../src/history/openHistoryWriter.ts';
import { databaseName, tableNames, tables } from '../../src/history/tables.ts';
import { Fault } from '../../src/std/assert.ts';
import { createPrng } from '../../src/std/prng.ts';
import {
  type DrawnTables,
  drawHistoryRows,
  emptyTables,
  keyOf,
  noHistoryRows as noRows,
} from '../fixtures/drawHistoryRows.ts';
import { eachDatabase, type TestDatabase } from '../fixtures/eachDatabase.ts';

const chain = 43113;

const placeAt = (position: number): HistoryPlace => ({
  position,
  hash: `hash of ${position}`,
  time: 1_760_000_000_000 + position,
  counters: {
    ledger: position * 2,
    amendments: position,
    aggregates: [{ id: 7, order: 3, ticks: 600_000, time: 1_760_000_000_000 }],
  },
});

/** Everything that the tables hold, by key, and the row of the place. */
async function readAll(database: TestDatabase): Promise<DrawnTables & { place: unknown }> {
  const reader = openHistoryReader(database);
  const held = emptyTables();
  for (const name of tableNames) {
    const rows = await reader
      .selectFrom(name as 'orders')
      .selectAll()
      .execute();
    for (const row of rows) held[name].set(keyOf(name, row), row);
  }
  const place = await reader.selectFrom('place').selectAll().execute();
  await reader.destroy();
  return { ...held, place };
}

const sorted = (held: DrawnTables): unknown =>
  tableNames.map((name) => [name, [...held[name]].sort(([a], [b]) => (a < b ? -1 : 1))]);

async function opened(database: TestDatabase): Promise<HistoryWriter> {
  const writer = openHistoryWriter({ ...database, chain });
  await writer.open();
  return writer;
}

eachDatabase('an empty database gets its tables and has no rows', async (database) => {
  const writer = openHistoryWriter({ ...database, chain });
  const counters = { ledger: 0, amendments: 0, aggregates: [] };
  expect(await writer.open()).toEqual({ position: 0, hash: '', time: 0, counters });
  expect(await writer.open()).toEqual({ position: 0, hash: '', time: 0, counters });
  await writer.close();
  expect(sorted(await readAll(database))).toEqual(sorted(emptyTables()));
});

eachDatabase('migrations lead to the tables of tables.ts', async (database) => {
  const writer = await opened(database);
  await writer.close();
  const reader = openHistoryReader(database);
  const found = await reader.introspection.getTables();
  await reader.destroy();
  const described = tableNames.map((name) => [
    databaseName(name),
    Object.keys(tables[name].columns).map(databaseName).sort(),
  ]);
  const names = found
    .filter(({ name }) => name !== 'place')
    .map(({ name, columns }) => [name, columns.map((column) => column.name).sort()]);
  const byName = (a: unknown[], b: unknown[]) => (String(a[0]) < String(b[0]) ? -1 : 1);
  expect(names.sort(byName)).toEqual(described.sort(byName));
  const nullable = found.flatMap(({ name, columns }) =>
    columns.filter(({ isNullable }) => isNullable).map((column) => `${name}.${column.name}`),
  );
  expect(nullable).toEqual([]);
});

/** What each step after the first version has added, and the value in rows of before. */
const added = {
  4: {
    orders: { takeProfitId: 0, stopLossId: 0 },
    triggers: { pairId: 0, pairCreatedAt: 0, takeProfitId: 0, stopLossId: 0, pairKind: '' },
  },
  3: { referralDays: {} },
} as const;

/**
 * Takes from the tables what later versions have added, so that they are as a release left them.
 */
async function takeBack(database: TestDatabase, version: 2 | 3 | 4): Promise<void> {
  for (const { table, columns } of addedIndexes) {
    await database.meddle(`drop index ${indexName(table, columns)}`);
  }
  for (const { table, columns, named } of replacedIndexes) {
    const on = `${table} (${columns.split(' ').map(databaseName).join(', ')})`;
    const where = named === true ? ` where client_order_id <> ''` : '';
    await database.meddle(`create index ${indexName(table, columns)} on ${on}${where}`);
  }
  await database.meddle(`update place set version = ${version}`);
  if (version === 4) return;
  for (const [table, columns] of Object.entries(added[4])) {
    for (const column of Object.keys(columns)) {
      await database.meddle(`alter table ${table} drop column ${databaseName(column)}`);
    }
  }
  if (version === 2) await database.meddle('drop table referral_days');
}

eachDatabase('rows of earlier versions stay through the migrations', async (database) => {
  const prng = createPrng(9);
  const held = emptyTables();
  let writer = await opened(database);
  let place = await writer.open();
  const write = async (position: number): Promise<void> => {
    await writer.write(drawHistoryRows(prng, held, 40), place, placeAt(position));
    place = placeAt(position);
  };
  await write(1);
  for (const version of [4, 3, 2] as const) {
    await writer.close();
    await takeBack(database, version);
    writer = await opened(database);
    expect(await writer.open()).toEqual(place);
    for (const [table, columns] of Object.entries(version === 4 ? {} : added[4])) {
      for (const row of held[table as 'orders'].values()) Object.assign(row, columns);
    }
    if (version === 2) held.referralDays.clear();
    const { place: row, ...found } = await readAll(database);
    expect(sorted(found), `from version ${version}`).toEqual(sorted(held));
    expect(row).toMatchObject([{ version: 5, position: place.position }]);
    expect(held.orders.size * held.triggers.size * held.fills.size).toBeGreaterThan(0);
    // And the writer goes on.
    await write(place.position + 1);
  }
  const { place: _place, ...found } = await readAll(database);
  expect(sorted(found)).toEqual(sorted(held));
  expect(held.referralDays.size).toBeGreaterThan(0);
  await writer.close();
});

eachDatabase('written rows are read back in their last state', async (database) => {
  // Goal: every kind of value survives, and only the changing columns of a row change. Method:
  // drawn transactions beside maps that hold the same.
  const prng = createPrng(7);
  const held = emptyTables();
  const writer = await opened(database);
  let place = await writer.open();
  for (let position = 1; position <= 40; position += 1) {
    const rows = drawHistoryRows(prng, held, position === 20 ? 1200 : 12);
    await writer.write(rows, place, placeAt(position));
    place = placeAt(position);
  }
  expect(await writer.open()).toEqual(place);
  await writer.close();
  const { place: row, ...found } = await readAll(database);
  expect(sorted(found)).toEqual(sorted(held));
  const { counters, ...rest } = place;
  expect(row).toEqual([{ ...rest, counters: JSON.stringify(counters), chain, version: 5 }]);
});

eachDatabase('rows and position are written together or not at all', async (database) => {
  const prng = createPrng(8);
  const held = emptyTables();
  const writer = await opened(database);
  const first = drawHistoryRows(prng, held, 5);
  await writer.write(first, await writer.open(), placeAt(1));
  const before = await readAll(database);
  const again = { ...drawHistoryRows(prng, emptyTables(), 5), candles: first.candles };
  await expect(writer.write(again, placeAt(1), placeAt(2))).rejects.toThrow(HistoryForked);
  expect(await readAll(database)).toEqual(before);
  expect(await writer.open()).toEqual(placeAt(1));
  await writer.write(noRows, placeAt(1), placeAt(2));
  expect(await writer.open()).toEqual(placeAt(2));
  await writer.close();
});

eachDatabase('a writer at another position than the tables writes nothing', async (database) => {
  const one = await opened(database);
  const two = await opened(database);
  const start = await one.open();
  await one.write(noRows, start, placeAt(1));
  const rows = drawHistoryRows(createPrng(9), emptyTables(), 5);
  const before = await readAll(database);
  await expect(two.write(rows, start, placeAt(1))).rejects.toThrow(HistoryForked);
  await expect(two.write(rows, placeAt(1), placeAt(2))).rejects.toThrow('history is not open');
  expect(await two.open()).toEqual(placeAt(1));
  const otherHash = { ...placeAt(1), hash: 'another' };
  await expect(two.write(rows, otherHash, placeAt(2))).rejects.toThrow(HistoryForked);
  expect(await readAll(database)).toEqual(before);
  await one.close();
  await two.close();
});

eachDatabase(
  'a number beyond the safe integers is refused in both directions',
  async (database) => {
    const writer = await opened(database);
    const place = await writer.open();
    const amount = Number.MAX_SAFE_INTEGER + 1;
    const deposit = { id: 1, account: 1, amount, reference: '', time: 1 };
    const rows = { ...noRows, deposits: [deposit] } as unknown as HistoryRows;
    await expect(writer.write(rows, place, placeAt(1))).rejects.toThrow(Fault);
    expect(await writer.open()).toEqual(place);
    await database.meddle(
      'insert into deposits (id, account, amount, reference, time) ' +
        "values (1, 1, 9007199254740993, '', 1)",
    );
    const reader = openHistoryReader(database);
    const read = reader.selectFrom('deposits').selectAll().execute();
    await expect(read).rejects.toThrow('safe integer');
    await reader.destroy();
    await writer.close();
  },
);

eachDatabase('history of another chain is refused', async (database) => {
  await (await opened(database)).close();
  const other = openHistoryWriter({ ...database, chain: 43114 });
  await expect(other.open()).rejects.toThrow(HistoryForked);
  await expect(other.open()).rejects.toThrow('belongs to chain 43113, not 43114');
  await other.close();
});

eachDatabase('history of a later program is refused and stays unchanged', async (database) => {
  await (await opened(database)).close();
  await database.meddle('update place set version = 6');
  const writer = openHistoryWriter({ ...database, chain });
  await expect(writer.open()).rejects.toThrow(HistoryTooNew);
  await expect(writer.open()).rejects.toThrow('knows none above 5');
  await writer.close();
  expect((await readAll(database)).place).toMatchObject([{ version: 6 }]);
});

eachDatabase('history from before a release is refused and stays unchanged', async (database) => {
  await (await opened(database)).close();
  await database.meddle('update place set version = 1');
  const writer = openHistoryWriter({ ...database, chain });
  await expect(writer.open()).rejects.toThrow(HistoryTooOld);
  await expect(writer.open()).rejects.toThrow('evermark history rebuild');
  await writer.close();
  expect((await readAll(database)).place).toMatchObject([{ version: 1 }]);
});

eachDatabase('a changed row must exist, and a new row must not', async (database) => {
  const prng = createPrng(10);
  const held = emptyTables();
  const writer = await opened(database);
  const first = drawHistoryRows(prng, held, 5);
  const [order] = first.orders;
  const withOrder = { ...noRows, orders: [order!] };
  const changing = { ...noRows, changed: { ...noRows.changed, orders: [order!] } };
  const start = await writer.open();
  await expect(writer.write(changing, start, placeAt(1))).rejects.toThrow(HistoryForked);
  expect(await writer.open()).toEqual(start);
  await writer.write(withOrder, start, placeAt(1));
  await writer.write(changing, placeAt(1), placeAt(2));
  await expect(writer.write(withOrder, placeAt(2), placeAt(3))).rejects.toThrow(HistoryForked);
  expect(await writer.open()).toEqual(placeAt(2));
  await writer.close();
});

eachDatabase('a row that exists, among many, undoes the whole transaction', async (database) => {
  const held = emptyTables();
  const writer = await opened(database);
  const first = drawHistoryRows(createPrng(14), held, 200);
  await writer.write(first, await writer.open(), placeAt(1));
  const before = sorted(await readAll(database));
  const { fills, deposits } = drawHistoryRows(createPrng(15), held, 200);
  expect(fills.length).toBeGreaterThan(60);
  const among = [...fills.slice(0, 50), first.fills[0]!, ...fills.slice(50)];
  const rows = { ...noRows, fills: among, deposits };
  await expect(writer.write(rows, placeAt(1), placeAt(2))).rejects.toThrow(HistoryForked);
  expect(sorted(await readAll(database))).toEqual(before);
  expect(await writer.open()).toEqual(placeAt(1));
  await writer.write({ ...rows, fills }, placeAt(1), placeAt(2));
  expect((await readAll(database)).fills).toEqual(held.fills);
  await writer.close();
});

eachDatabase('a reader cannot write', async (database) => {
  await (await opened(database)).close();
  const reader = openHistoryReader(database);
  const row: HistoryTables['deposits'] = {
    id: 1,
    account: 1,
    amount: 1,
    reference: '',
    time: 1,
  } as never;
  await expect(reader.insertInto('deposits').values(row).execute()).rejects.toThrow(/read-?only/);
  expect(await reader.selectFrom('deposits').selectAll().execute()).toEqual([]);
  await reader.destroy();
});

eachDatabase('a reader fails without tables and reads when they exist', async (database) => {
  const reader = openHistoryReader(database);
  const read = () => reader.selectFrom('markets').selectAll().execute();
  await expect(read()).rejects.toThrow();
  await (await opened(database)).close();
  expect(await read()).toEqual([]);
  await reader.destroy();
});

eachDatabase('truth values are queried as truth values', async (database) => {
  const writer = await opened(database);
  const held = emptyTables();
  const rows = drawHistoryRows(createPrng(11), held, 40);
  await writer.write(rows, await writer.open(), placeAt(1));
  await writer.close();
  const reader = openHistoryReader(database);
  const makers = await reader.selectFrom('fills').selectAll().where('maker', '=', true).execute();
  await reader.destroy();
  expect(makers.length).toBe(rows.fills.filter(({ maker }) => maker).length);
  expect(makers.every(({ maker }) => maker === true)).toBe(true);
});

test('a name means a truth value in all tables or in none', () => {
  const kinds = new Map<string, string>();
  for (const name of tableNames) {
    for (const [column, kind] of Object.entries(tables[name].columns)) {
      expect((kinds.get(column) ?? kind) === 'boolean', `${name}.${column}`).toBe(
        kind === 'boolean',
      );
      kinds.set(column, kind);
    }
  }
});
