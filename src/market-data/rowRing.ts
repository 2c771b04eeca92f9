// The last rows of a kind in a ring, and beside it the index that answers questions about them.
// Each view defines its rows and its questions.

/** An index of rows. It contains the rows of the ring. */
export type RowIndex<Row> = {
  readonly add: (row: Row) => void;
  readonly remove: (row: Row) => void;
};

/** So many rows at a time take some tenths of a millisecond. */
const forgottenMax = 500;

export type RowRing<Row, Index extends RowIndex<Row>> = {
  readonly max: number;
  /** The rows in the order in which they came, beginning at `oldest` and wrapping around. */
  readonly ring: (Row | undefined)[];
  /** The place of the oldest row. */
  oldest: number;
  /** So many rows are there; the other places are empty. */
  size: number;
  readonly createIndex: () => Index;
  /** Made on demand and kept from then on: a replay without questions has none. */
  index: Index | undefined;
  /** The rows before those of the ring, while they wait to be decoded; then there is no index. */
  earlier: EarlierRows<Row, Index> | undefined;
};

/** Rows of a snapshot. A start serves clients before it has decoded them. */
type EarlierRows<Row, Index> = {
  readonly next: () => Row;
  readonly count: number;
  /** The oldest so many have been dropped for newer ones. */
  dropped: number;
  readonly decoded: Row[];
  /** Of the decoded ones, without the dropped ones, and then of the first `indexed` of the ring. */
  readonly index: Index;
  indexed: number;
};

export function createRowRing<Row, Index extends RowIndex<Row>>(
  max: number,
  createIndex: () => Index,
): RowRing<Row, Index> {
  return { max, ring: [], oldest: 0, size: 0, createIndex, index: undefined, earlier: undefined };
}

/**
 * Puts rows before those of an empty ring. `next` gives them one by one, the oldest first, when
 * they are needed.
 */
export function addEarlier<Row, Index extends RowIndex<Row>>(
  rows: RowRing<Row, Index>,
  { count, next }: { readonly count: number; readonly next: () => NoInfer<Row> },
): void {
  if (count === 0) return;
  const index = rows.createIndex();
  rows.earlier = { next, count, dropped: 0, decoded: [], index, indexed: 0 };
}

/** Adds a row. At the bound it drops the oldest. */
export function rememberRow<Row, Index extends RowIndex<Row>>(
  rows: RowRing<Row, Index>,
  row: NoInfer<Row>,
): void {
  const { ring, max, earlier } = rows;
  if (earlier !== undefined) {
    ring.push(row);
    rows.size += 1;
    if (earlier.count - earlier.dropped + rows.size > max) dropEarlier(rows, earlier);
    return;
  }
  if (rows.size === max) dropOldest(rows);
  const at = (rows.oldest + rows.size) % max;
  // A place that was never used is the next behind the others.
  if (at === ring.length) ring.push(row);
  else ring[at] = row;
  rows.size += 1;
  rows.index?.add(row);
}

/** Its place is empty from then on, and the others stay where they are. */
function dropOldest<Row, Index extends RowIndex<Row>>(rows: RowRing<Row, Index>): void {
  const { ring, oldest, max } = rows;
  const row = ring[oldest]!;
  ring[oldest] = undefined;
  rows.oldest = (oldest + 1) % max;
  rows.size -= 1;
  rows.index?.remove(row);
}

function dropEarlier<Row, Index extends RowIndex<Row>>(
  rows: RowRing<Row, Index>,
  earlier: EarlierRows<Row, Index>,
): void {
  const { decoded, index, dropped } = earlier;
  if (dropped < decoded.length) index.remove(decoded[dropped]!);
  earlier.dropped += 1;
  // None of them is left, so none needs to be decoded; the index is made when it is needed.
  if (earlier.dropped === earlier.count) rows.earlier = undefined;
}

/**
 * Decodes some of the earlier rows and adds them to the index; false when nothing is left to do.
 * Faults on what cannot be a row.
 */
export function decodeEarlier<Row, Index extends RowIndex<Row>>(
  rows: RowRing<Row, Index>,
  most: number,
): boolean {
  const { earlier, ring } = rows;
  if (earlier === undefined) return false;
  const { next, count, decoded, index } = earlier;
  for (let i = 0; i < most; i += 1) {
    if (decoded.length < count) {
      decoded.push(next());
      if (decoded.length > earlier.dropped) index.add(decoded.at(-1)!);
    } else if (earlier.indexed < rows.size) {
      index.add(ring[earlier.indexed]!);
      earlier.indexed += 1;
    } else {
      const newer = ring.splice(0);
      for (let at = earlier.dropped; at < count; at += 1) ring.push(decoded[at]!);
      for (const row of newer) ring.push(row);
      rows.size = ring.length;
      rows.index = index;
      rows.earlier = undefined;
      return false;
    }
  }
  return true;
}

/** Decodes all of them. */
function settle<Row, Index extends RowIndex<Row>>(rows: RowRing<Row, Index>): void {
  if (rows.earlier !== undefined) decodeEarlier(rows, Number.POSITIVE_INFINITY);
}

/**
 * Drops the oldest rows while they are `old` and more than `kept` remain, but at most so many at a
 * time that trading does not wait for it. It drops none while earlier ones wait to be decoded.
 */
export function forgetOldest<Row, Index extends RowIndex<Row>>(
  rows: RowRing<Row, Index>,
  kept: number,
  old: (row: NoInfer<Row>) => boolean,
): void {
  if (rows.earlier !== undefined) return;
  const most = Math.min(forgottenMax, rows.size - kept);
  for (let count = 0; count < most && old(rows.ring[rows.oldest]!); count += 1) dropOldest(rows);
}

/** The rows in the order in which they came, the oldest first. */
export function* rowsInOrder<Row, Index extends RowIndex<Row>>(
  rows: RowRing<Row, Index>,
): Generator<Row, void, undefined> {
  settle(rows);
  const { ring, oldest, size, max } = rows;
  for (let i = 0; i < size; i += 1) yield ring[(oldest + i) % max]!;
}

/** The number of rows. */
export function rowCount<Row, Index extends RowIndex<Row>>({
  size,
  earlier,
}: RowRing<Row, Index>): number {
  return size + (earlier === undefined ? 0 : earlier.count - earlier.dropped);
}

export function newestRow<Row, Index extends RowIndex<Row>>(
  rows: RowRing<Row, Index>,
): Row | undefined {
  if (rows.size === 0) settle(rows);
  const { ring, oldest, size, max } = rows;
  return size === 0 ? undefined : ring[(oldest + size - 1) % max];
}

/** Whether no row can have been dropped for a newer one yet. */
export function remembersAll<Row, Index extends RowIndex<Row>>(rows: RowRing<Row, Index>): boolean {
  return rowCount(rows) < rows.max;
}

/** Makes the index if there is none yet. Cost: 0.2 s for 100,000 rows. */
export function indexOf<Row, Index extends RowIndex<Row>>(rows: RowRing<Row, Index>): Index {
  settle(rows);
  if (rows.index !== undefined) return rows.index;
  const index = rows.createIndex();
  for (const row of rowsInOrder(rows)) index.add(row);
  rows.index = index;
  return index;
}
