// Rows sorted by group, then time, then id, in blocks of bounded size. Adding and removing move a
// few entries for any number of rows, and a row costs one entry for any number of groups.

import { assert } from '../std/assert.ts';

export type Place = { readonly group: number; readonly time: number; readonly id: number };

export type RowOrder<Row> = {
  readonly groupOf: (row: Row) => number;
  readonly timeOf: (row: Row) => number;
};

type Identified = { readonly id: number };

export type SortedRows<Row> = RowOrder<Row> & {
  /** Ascending. There is at least one block. A block is empty only when it is the only one. */
  readonly blocks: Row[][];
};

const blockMax = 128;

/** The values by which a row is sorted must never change. */
export function createSortedRows<Row>(order: RowOrder<Row>): SortedRows<Row> {
  return { ...order, blocks: [[]] };
}

/** Adds a row, which must be new. */
export function addSorted<Row extends Identified>(rows: SortedRows<Row>, row: Row): void {
  const { blocks } = rows;
  const place = placeOf(rows, row);
  const index = blockOf(rows, place);
  const block = blocks[index]!;
  const slot = slotOf(rows, block, place);
  assert(!stands(rows, block[slot], place), 'a row is sorted in once');
  block.splice(slot, 0, row);
  if (block.length > blockMax) blocks.splice(index + 1, 0, block.splice(blockMax >> 1));
}

/** Removes a row, which must exist. */
export function removeSorted<Row extends Identified>(rows: SortedRows<Row>, row: Row): void {
  const { blocks } = rows;
  const place = placeOf(rows, row);
  const index = blockOf(rows, place);
  const block = blocks[index]!;
  const slot = slotOf(rows, block, place);
  assert(stands(rows, block[slot], place), 'a row that is removed is there');
  block.splice(slot, 1);
  if (block.length === 0 && blocks.length > 1) blocks.splice(index, 1);
}

/** The rows at or after the place, ascending. They must not change during the walk. */
export function* rowsFrom<Row extends Identified>(
  rows: SortedRows<Row>,
  place: Place,
): Generator<Row, void, undefined> {
  const { blocks } = rows;
  const first = blockOf(rows, place);
  let slot = slotOf(rows, blocks[first]!, place);
  for (let index = first; index < blocks.length; index += 1) {
    const block = blocks[index]!;
    for (; slot < block.length; slot += 1) yield block[slot]!;
    slot = 0;
  }
}

/** The rows before the place, descending. They must not change during the walk. */
export function* rowsBefore<Row extends Identified>(
  rows: SortedRows<Row>,
  place: Place,
): Generator<Row, void, undefined> {
  const { blocks } = rows;
  const last = blockOf(rows, place);
  let slot = slotOf(rows, blocks[last]!, place) - 1;
  for (let index = last; index >= 0; index -= 1) {
    const block = blocks[index]!;
    for (; slot >= 0; slot -= 1) yield block[slot]!;
    slot = (blocks[index - 1]?.length ?? 0) - 1;
  }
}

function placeOf<Row extends Identified>({ groupOf, timeOf }: SortedRows<Row>, row: Row): Place {
  return { group: groupOf(row), time: timeOf(row), id: row.id };
}

function precedes<Row extends Identified>(
  { groupOf, timeOf }: SortedRows<Row>,
  row: Row,
  { group, time, id }: Place,
): boolean {
  const own = groupOf(row);
  if (own !== group) return own < group;
  const at = timeOf(row);
  return at === time ? row.id < id : at < time;
}

function stands<Row extends Identified>(
  { groupOf, timeOf }: SortedRows<Row>,
  row: Row | undefined,
  { group, time, id }: Place,
): boolean {
  return row !== undefined && row.id === id && timeOf(row) === time && groupOf(row) === group;
}

/** The last block whose first row is not after the place, else the first block. */
function blockOf<Row extends Identified>(rows: SortedRows<Row>, place: Place): number {
  const { blocks } = rows;
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const first = blocks[middle]![0]!;
    if (precedes(rows, first, place) || stands(rows, first, place)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The first slot that is not before the place; the length when there is none. */
function slotOf<Row extends Identified>(
  rows: SortedRows<Row>,
  block: readonly Row[],
  place: Place,
): number {
  let low = 0;
  let high = block.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (precedes(rows, block[middle]!, place)) low = middle + 1;
    else high = middle;
  }
  return low;
}
