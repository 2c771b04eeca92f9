// Rows of a view as sections, and back: a head with the bound and the number of rows, then the
// rows, the oldest first. The snapshots of the views define the bytes of their rows.
//
// A head may also list its sections: of each the number of its rows, and its checksum. Then a
// reader can take the sections, know that they are the ones that were written, and decode the rows
// later.

import { assert, must } from '../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  createByteWriter,
  readUint32,
  writeUint32,
} from '../std/bytes.ts';
import {
  beginSection,
  endSection,
  openNextSection,
  sectionBytesTarget,
  sectionChecksum,
} from '../std/section.ts';

export type RowSnapshot<Row> = {
  readonly headKind: number;
  readonly rowsKind: number;
  readonly encode: (writer: ByteWriter, row: Row) => void;
  readonly decode: (reader: ByteReader) => Row;
};

export type Rows<Row> = {
  readonly max: number;
  readonly count: number;
  readonly all: Iterable<Row>;
};

/** What receives the sections, and owns each. */
export type RowsOutput = {
  readonly emit: (section: Buffer) => void;
  /** Whether the head lists the sections. Cost: all of a view in memory at once. */
  readonly isListed: boolean;
};

export function encodeRows<Row>(
  { headKind, rowsKind, encode }: RowSnapshot<Row>,
  rows: Rows<Row>,
  { emit, isListed }: RowsOutput,
): void {
  if (!isListed) {
    emit(encodeHead(headKind, rows));
    encodeSections({ kind: rowsKind, encode }, rows, emit);
    return;
  }
  const sections: { readonly section: Buffer; readonly count: number }[] = [];
  const gather = (section: Buffer, count: number): void => void sections.push({ section, count });
  encodeSections({ kind: rowsKind, encode }, rows, gather);
  emit(encodeHead(headKind, rows, sections));
  for (const { section } of sections) emit(section);
}

function encodeHead(
  kind: number,
  { max, count }: Pick<Rows<unknown>, 'max' | 'count'>,
  listed: readonly { readonly section: Buffer; readonly count: number }[] = [],
): Buffer {
  const writer = createByteWriter();
  beginSection(writer);
  writeUint32(writer, max);
  writeUint32(writer, count);
  for (const { section, count: rows } of listed) {
    writeUint32(writer, rows);
    writeUint32(writer, sectionChecksum(section));
  }
  return endSection(writer, kind);
}

function encodeSections<Row>(
  { kind, encode }: { readonly kind: number } & Pick<RowSnapshot<Row>, 'encode'>,
  rows: Rows<Row>,
  emit: (section: Buffer, count: number) => void,
): void {
  const writer = createByteWriter(sectionBytesTarget * 2);
  beginSection(writer);
  let count = 0;
  for (const row of rows.all) {
    encode(writer, row);
    count += 1;
    if (writer.length < sectionBytesTarget) continue;
    emit(endSection(writer, kind), count);
    beginSection(writer);
    count = 0;
  }
  if (count > 0) emit(endSection(writer, kind), count);
}

export type TakenRows<Row> = {
  readonly max: number;
  readonly count: number;
  /** Decodes the next row; to be called `count` times. Faults on what cannot be one. */
  readonly next: () => Row;
};

/**
 * Takes the sections of the rows. With a list it decodes none of them yet; without one, all. Takes
 * only its own sections. Faults on anything missing or damaged.
 */
export function takeRows<Row>(
  { headKind, rowsKind, decode }: RowSnapshot<Row>,
  sections: Iterator<Buffer>,
): TakenRows<Row> {
  const head = openNextSection(sections, headKind);
  const max = readUint32(head);
  const count = readUint32(head);
  assert(count <= max, 'the head of a view’s rows is wrong');
  if (head.offset === head.end) {
    const rows = decodeUnlisted({ rowsKind, decode, count }, sections);
    let at = 0;
    return { max, count, next: () => rows[at++]! };
  }
  const taken: Taken[] = [];
  let left = count;
  while (head.offset < head.end) {
    const rows = readUint32(head);
    const checksum = readUint32(head);
    const reader = openNextSection(sections, rowsKind);
    assert(sectionChecksum(reader.buffer) === checksum, 'a section of rows is another one');
    assert(rows > 0 && rows <= left, 'the rows of a view are more than their head says');
    left -= rows;
    taken.push({ reader, rows });
  }
  assert(left === 0, 'rows of a view are missing');
  return { max, count, next: decodeInTurn(taken, decode) };
}

type Taken = { readonly reader: ByteReader; rows: number };

/** A section is forgotten when its rows are decoded. After a fault none of the rest is given. */
function decodeInTurn<Row>(taken: Taken[], decode: (reader: ByteReader) => Row): () => Row {
  taken.reverse();
  let isBroken = false;
  return () => {
    assert(!isBroken, 'the rows of a view are damaged');
    isBroken = true;
    const section = must(taken.at(-1), 'every row of a view has been decoded');
    const row = decode(section.reader);
    section.rows -= 1;
    if (section.rows === 0) {
      const { offset, end } = section.reader;
      assert(offset === end, 'a section holds more than its rows');
      taken.pop();
    }
    isBroken = false;
    return row;
  };
}

function decodeUnlisted<Row>(
  expected: Pick<RowSnapshot<Row>, 'rowsKind' | 'decode'> & { readonly count: number },
  sections: Iterator<Buffer>,
): Row[] {
  const { rowsKind, decode, count } = expected;
  const rows: Row[] = [];
  while (rows.length < count) {
    const reader = openNextSection(sections, rowsKind);
    while (reader.offset < reader.end) rows.push(decode(reader));
    assert(rows.length <= count, 'the rows of a view are more than their head says');
  }
  return rows;
}
