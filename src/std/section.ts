// A stream of bytes cut into sections that each say what they are, how long, and their checksum.
// What the kinds mean is for whoever writes and reads them.
//
//   0 checksum u32 (of all that follows) · 4 kind u32 · 8 payload bytes u32 · 12 payload

import { assert } from './assert.ts';
import { type ByteReader, type ByteWriter, createByteReader, reserveBytes } from './bytes.ts';
import { crc32c } from './crc32c.ts';

export const sectionHeadBytes = 12;

/** A section's payload is cut after the record that passes this, so readers need bounded memory. */
export const sectionBytesTarget = 256 * 1024;

/** Makes the writer ready for the payload of one section. */
export function beginSection(writer: ByteWriter): void {
  writer.length = 0;
  reserveBytes(writer, sectionHeadBytes);
}

/** The section whose payload was written since `beginSection`, as bytes of its own. */
export function endSection(writer: ByteWriter, kind: number): Buffer {
  assert(writer.length >= sectionHeadBytes, 'a section ends after it began');
  const section = Buffer.from(writer.buffer.subarray(0, writer.length));
  section.writeUInt32LE(kind, 4);
  section.writeUInt32LE(section.length - sectionHeadBytes, 8);
  section.writeUInt32LE(crc32c(section.subarray(4)), 0);
  return section;
}

/** How many bytes the section has whose first `sectionHeadBytes` these are. May be damage. */
export function claimedSectionBytes(head: Buffer): number {
  return sectionHeadBytes + head.readUInt32LE(8);
}

/** Faults unless the bytes are exactly one undamaged section. */
export function openSection(section: Buffer): { kind: number; reader: ByteReader } {
  assert(section.length >= sectionHeadBytes, 'a section is cut');
  assert(claimedSectionBytes(section) === section.length, 'a section has another length');
  assert(section.readUInt32LE(0) === crc32c(section.subarray(4)), 'a section is damaged');
  return { kind: section.readUInt32LE(4), reader: createByteReader(section, sectionHeadBytes) };
}

/** Takes the next section, which must have this kind. */
export function openNextSection(sections: Iterator<Buffer>, kind: number): ByteReader {
  const next = sections.next();
  assert(next.done !== true, 'the sections end too early');
  const section = openSection(next.value);
  assert(section.kind === kind, `a section of kind ${section.kind} stands where ${kind} belongs`);
  return section.reader;
}
