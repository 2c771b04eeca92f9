// The tables of history as maps: what a database is to a projector, and as strict. A row that never
// changes must be new, and of one that is written again nothing may differ but what tables.ts says.

import { expect } from 'vitest';
import type { HistoryRows } from '../../src/history/history.ts';
import type { RowsByTable, TableName } from '../../src/history/rows.ts';
import { tableNames, tables } from '../../src/history/tables.ts';

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
    const { key, changing, columns } = tables[name];
    const table = model[name] as Map<string, Row>;
    const known = Object.keys(columns);
    for (const row of rows[name] as readonly Row[]) {
      const told = Object.keys(row);
      // The runner is asked only about a row that is wrong: there are millions.
      if (told.length !== known.length || !known.every((column) => Object.hasOwn(row, column))) {
        expect(told.sort(), name).toEqual(known.sort());
      }
      const id = key.map((column) => row[column]).join(' ');
      const before = table.get(id);
      if (before !== undefined) expectSame(name, changing, { before, after: row });
      table.set(id, row);
    }
  }
}

function expectSame(
  name: string,
  changing: readonly string[],
  { before, after }: { readonly before: Row; readonly after: Row },
): void {
  if (changing.length === 0) throw new Error(`${name} has this row: ${JSON.stringify(after)}`);
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
