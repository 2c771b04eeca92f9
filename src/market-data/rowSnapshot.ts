// Rows of a view as sections, and back: a head with the bound and the number of rows, then the
// rows, the oldest first. The snapshots of the views define the bytes of their rows.

import { assert } from '../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  createByteWriter,
  readUint32,
  writeUint32,
} from '../std/bytes.ts';
import { beginSection, endSection, openNextSection, sectionBytesTarget } from '../std/section.ts';

export type RowSnapshot<Row> = {
  readonly headKind: number;
  readonly rowsKind: number;
  readonly encode: (writer: ByteWriter, row: Row) => void;
  readonly decode: (reader: ByteReader) => Row;
};

/** Gives the sections; the receiver owns each. */
export function encodeRows<Row>(
  { headKind, rowsKind, encode }: RowSnapshot<Row>,
  rows: { readonly max: number; readonly count: number; readonly all: Iterable<Row> },
  emit: (section: Buffer) => void,
): void {
  const writer = createByteWriter(sectionBytesTarget * 2);
  beginSection(writer);
  writeUint32(writer, rows.max);
  writeUint32(writer, rows.count);
  emit(endSection(writer, headKind));
  beginSection(writer);
  const empty = writer.length;
  for (const row of rows.all) {
    encode(writer, row);
    if (writer.length < sectionBytesTarget) continue;
    emit(endSection(writer, rowsKind));
    beginSection(writer);
  }
  if (writer.length > empty) emit(endSection(writer, rowsKind));
}

/** The rows again. Takes only its own sections. Faults on anything missing or damaged. */
export function decodeRows<Row>(
  { headKind, rowsKind, decode }: RowSnapshot<Row>,
  sections: Iterator<Buffer>,
): { readonly max: number; readonly rows: readonly Row[] } {
  const head = openNextSection(sections, headKind);
  const max = readUint32(head);
  const count = readUint32(head);
  assert(head.offset === head.end && count <= max, 'the head of a view’s rows is wrong');
  const rows: Row[] = [];
  while (rows.length < count) {
    const reader = openNextSection(sections, rowsKind);
    while (reader.offset < reader.end) rows.push(decode(reader));
    assert(rows.length <= count, 'the rows of a view are more than their head says');
  }
  return { max, rows };
}
