// The order of a table's rows by one of its columns.

import { scaledOf } from '../state/grid.ts';
import type { Column } from './Table.tsx';

export type Sorting = {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
};

/** Numbers begin with the largest, texts with the first letter; a third click ends the sorting. */
export function sortingAfter<Row>(
  sorting: Sorting | undefined,
  { id, isNumber = false }: Column<Row>,
): Sorting | undefined {
  const first = isNumber ? 'descending' : 'ascending';
  if (sorting?.column !== id) return { column: id, direction: first };
  if (sorting.direction !== first) return undefined;
  return { column: id, direction: isNumber ? 'ascending' : 'descending' };
}

/** Decimals of what is compared as a number. */
const comparedDecimals = 12;

/** The rows in the order of the sorting; equal ones, and all without a sorting, as they came. */
export function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: Sorting | undefined,
): readonly Row[] {
  const column = columns.find(({ id }) => id === sorting?.column);
  const plain = column?.plain;
  if (column === undefined || plain === undefined || sorting === undefined) return rows;
  const sign = sorting.direction === 'ascending' ? 1 : -1;
  if (column.isNumber !== true) {
    return rows.toSorted((a, b) => sign * plain(a).localeCompare(plain(b)));
  }
  const keyed = rows.map((row) => ({ row, key: scaledOf(plain(row), comparedDecimals) }));
  keyed.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -sign : sign));
  return keyed.map(({ row }) => row);
}
