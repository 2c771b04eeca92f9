// The last rows of a kind in a ring, and beside it the index that answers questions about them.
// Each view defines its rows and its questions.

/** An index of rows. It contains the rows of the ring. */
export type RowIndex<Row> = {
  readonly add: (row: Row) => void;
  readonly remove: (row: Row) => void;
};

/** With fewer dropped rows than this, the others are not moved. */
const forgottenMin = 100;
const forgottenMax = 500;

export type RowRing<Row, Index extends RowIndex<Row>> = {
  readonly max: number;
  /** In the order in which they came, beginning at `oldest` and wrapping around. */
  readonly ring: Row[];
  /** The place of the oldest row; 0 until the ring is full. */
  oldest: number;
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
  return { max, ring: [], oldest: 0, createIndex, index: undefined, earlier: undefined };
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
  const { ring, index, max, earlier } = rows;
  if (earlier !== undefined) {
    ring.push(row);
    if (earlier.count - earlier.dropped + ring.length > max) dropEarlier(rows, earlier);
    return;
  }
  if (ring.length < max) ring.push(row);
  else {
    if (index !== undefined) index.remove(ring[rows.oldest]!);
    ring[rows.oldest] = row;
    rows.oldest = (rows.oldest + 1) % max;
  }
  if (index !== undefined) index.add(row);
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
    } else if (earlier.indexed < ring.length) {
      index.add(ring[earlier.indexed]!);
      earlier.indexed += 1;
    } else {
      const newer = ring.splice(0);
      for (let at = earlier.dropped; at < count; at += 1) ring.push(decoded[at]!);
      for (const row of newer) ring.push(row);
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
 * Drops the oldest rows while they are `old` and more than `kept` remain, but at most as many at a
 * time as take a few milliseconds. It drops none while earlier ones wait to be decoded.
 */
export function forgetOldest<Row, Index extends RowIndex<Row>>(
  rows: RowRing<Row, Index>,
  kept: number,
  old: (row: NoInfer<Row>) => boolean,
): void {
  const { ring, index, earlier } = rows;
  if (earlier !== undefined) return;
  const most = Math.min(forgottenMax, ring.length - kept);
  let count = 0;
  while (count < most && old(ring[(rows.oldest + count) % ring.length]!)) count += 1;
  if (count < forgottenMin) return;
  // A ring that is not full begins at its first place.
  if (rows.oldest > 0) {
    const older = ring.splice(rows.oldest);
    for (const row of ring.splice(0)) older.push(row);
    for (const row of older) ring.push(row);
    rows.oldest = 0;
  }
  for (const row of ring.splice(0, count)) index?.remove(row);
}

/** The rows in the order in which they came, the oldest first. */
export function* rowsInOrder<Row, Index extends RowIndex<Row>>(
  rows: RowRing<Row, Index>,
): Generator<Row, void, undefined> {
  settle(rows);
  const { ring, oldest } = rows;
  for (let i = 0; i < ring.length; i += 1) yield ring[(oldest + i) % ring.length]!;
}

/** The number of rows. */
export function rowCount<Row, Index extends RowIndex<Row>>({
  ring,
  earlier,
}: RowRing<Row, Index>): number {
  return ring.length + (earlier === undefined ? 0 : earlier.count - earlier.dropped);
}

export function newestRow<Row, Index extends RowIndex<Row>>(
  rows: RowRing<Row, Index>,
): Row | undefined {
  const { ring, oldest } = rows;
  if (ring.length === 0) settle(rows);
  return ring[(oldest + ring.length - 1) % ring.length];
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
