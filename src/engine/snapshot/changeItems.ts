// What the migrations share: sections with another head or other items, and bytes that stay.

import {
  type ByteReader,
  type ByteWriter,
  createByteWriter,
  readText,
  readUint16,
  readUint32,
  reserveBytes,
  takeBytes,
  writeText,
  writeUint16,
  writeUint32,
} from '../../std/bytes.ts';
import { beginSection, endSection, openSection } from '../../std/section.ts';

const headKind = 1;
export const marketsKind = 2;
export const accountsKind = 3;
export const integerBytes = 8;

export type Sections = Iterable<Buffer>;

/** The same sections with another head. */
export function* changeHead(
  sections: Sections,
  write: (writer: ByteWriter, before: ByteReader) => void,
): Generator<Buffer> {
  for (const section of sections) {
    const { kind, reader } = openSection(section);
    if (kind !== headKind) {
      yield section;
      continue;
    }
    const writer = createByteWriter();
    beginSection(writer);
    write(writer, reader);
    yield endSection(writer, kind);
  }
}

/** Copies the bytes from `skipped` on. */
export function copyBytes(
  writer: ByteWriter,
  { buffer, offset, end }: ByteReader,
  skipped: number,
): void {
  const bytes = buffer.subarray(offset + skipped, end);
  const at = reserveBytes(writer, bytes.length);
  bytes.copy(writer.buffer, at);
}

/** The same sections; those of one kind with other items, as many as before. */
export function* changeItems(
  sections: Sections,
  changedKind: number,
  change: (writer: ByteWriter, reader: ByteReader) => void,
): Generator<Buffer> {
  for (const section of sections) {
    const { kind, reader } = openSection(section);
    if (kind !== changedKind) {
      yield section;
      continue;
    }
    const writer = createByteWriter();
    beginSection(writer);
    const count = readUint32(reader);
    writeUint32(writer, count);
    for (let i = 0; i < count; i += 1) change(writer, reader);
    yield endSection(writer, kind);
  }
}

/** Copies the next `bytes` bytes. */
export function copy(writer: ByteWriter, reader: ByteReader, bytes: number): void {
  const from = takeBytes(reader, bytes);
  const at = reserveBytes(writer, bytes);
  reader.buffer.copy(writer.buffer, at, from, from + bytes);
}

export const copyText = (writer: ByteWriter, reader: ByteReader): void =>
  writeText(writer, readText(reader));

/** Copies a list of at most 65,535 items. */
export function copyList(writer: ByteWriter, reader: ByteReader, copyItem: () => void): void {
  const count = readUint16(reader);
  writeUint16(writer, count);
  for (let i = 0; i < count; i += 1) copyItem();
}

/** Of a market: six integers; sources, refused indexes, marks of the breaker's window. */
export function copyPrices(writer: ByteWriter, reader: ByteReader): void {
  copy(writer, reader, 6 * integerBytes);
  copyList(writer, reader, () => {
    copyText(writer, reader);
    copy(writer, reader, 3 * integerBytes);
  });
  copyList(writer, reader, () => copy(writer, reader, 2 * integerBytes));
  copyList(writer, reader, () => copy(writer, reader, 3 * integerBytes));
}

/** Copies the keys of an account: those of idempotent requests, and API keys. */
export function copyKeys(writer: ByteWriter, reader: ByteReader): void {
  const keys = readUint32(reader);
  writeUint32(writer, keys);
  for (let i = 0; i < keys; i += 1) {
    copyText(writer, reader);
    copyText(writer, reader);
    copy(writer, reader, 1 + 2 * integerBytes);
  }
  copyList(writer, reader, () => {
    copy(writer, reader, integerBytes);
    copyText(writer, reader);
    copy(writer, reader, integerBytes + 2);
    copyText(writer, reader);
  });
}
