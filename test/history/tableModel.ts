// The tables of history as maps: what a database is to a projector, and as strict. A row that never
// changes must be new, and of one that is written again nothing may differ but what tables.ts says.

import { expect } from 'vitest';
import type { HistoryRows } from '../../src/history/history.ts';
import type { RowsByTable, TableName } from '../../src/history/rows.ts';
import { changingTables, tableNames, tables } from '../../src/history/tables.ts';

type Row = Readonly<Record<string, unknown>>;

export type TableModel = { readonly [Name in TableName]: Map<string, RowsByTable[Name]> };

export function createTableModel(): TableModel {
  return Object.fromEntries(tableNames.map((name) => [name, new Map()])) as unknown as TableModel;
}

export function copyOfTables(model: TableModel): TableModel {
  const copied = tableNames.map((name) => [name, new Map<string, unknown>(model[name])]);
  return Object.fromEntries(copied) as unknown as TableModel;
}

export function writeRows(model: TableModel, rows: HistoryRows): void {
  for (const name of tableNames) {
    for (const row of rows[name]) {
      const [table, id] = placeOf(model, name, row);
      if (table.has(id)) throw new Error(`${name} has this row: ${JSON.stringify(row)}`);
      table.set(id, row);
    }
  }
  for (const name of changingTables) {
    for (const row of rows.changed[name]) {
      const [table, id] = placeOf(model, name, row);
      const before = table.get(id);
      if (before === undefined)
        throw new Error(`${name} does not have this row: ${JSON.stringify(row)}`);
      expectSame(name, tables[name].changing, { before, after: row as unknown as Row });
      table.set(id, row);
    }
  }
}

/** Its table, and its key there. */
function placeOf(model: TableModel, name: TableName, row: object): [Map<string, object>, string] {
  const { key, columns } = tables[name];
  const [reported, known] = [Object.keys(row), Object.keys(columns)];
  // `expect` runs only for a wrong row, because there are millions.
  if (reported.length !== known.length || !known.every((column) => Object.hasOwn(row, column))) {
    expect(reported.sort(), name).toEqual(known.sort());
  }
  const id = key.map((column) => (row as Row)[column]).join(' ');
  return [model[name] as Map<string, object>, id];
}

function expectSame(
  name: string,
  changing: readonly string[],
  { before, after }: { readonly before: object; readonly after: Row },
): void {
  for (const [column, value] of Object.entries(before)) {
    if (changing.includes(column) || after[column] === value) continue;
    throw new Error(`${name} may not change ${column}: ${JSON.stringify([before, after])}`);
  }
}

/** Every table's rows by their keys, so that two models compare. */
export function contentsOf(model: TableModel): Record<string, unknown[]> {
  const sorted = (name: TableName): unknown[] =>
    [...model[name]].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  return Object.fromEntries(tableNames.map((name) => [name, sorted(name)]));
}
