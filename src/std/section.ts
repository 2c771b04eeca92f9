// A stream of bytes cut into sections. Each section has a kind, a length and a checksum. Its writer
// and reader define what the kinds mean.
//
//   0 checksum u32 (of all that follows) · 4 kind u32 · 8 payload bytes u32 · 12 payload

import { assert } from './assert.ts';
import { type ByteReader, type ByteWriter, createByteReader, reserveBytes } from './bytes.ts';
import { crc32c } from './crc32c.ts';

export const sectionHeadBytes = 12;

/** A section ends after the record that passes this size, so that readers need bounded memory. */
export const sectionBytesTarget = 256 * 1024;

/** Prepares the writer for the payload of one section. */
export function beginSection(writer: ByteWriter): void {
  writer.length = 0;
  reserveBytes(writer, sectionHeadBytes);
}

/** The section with the payload that was written since `beginSection`, as bytes of its own. */
export function endSection(writer: ByteWriter, kind: number): Buffer {
  assert(writer.length >= sectionHeadBytes, 'a section ends after it began');
  const section = Buffer.from(writer.buffer.subarray(0, writer.length));
  section.writeUInt32LE(kind, 4);
  section.writeUInt32LE(section.length - sectionHeadBytes, 8);
  section.writeUInt32LE(crc32c(section.subarray(4)), 0);
  return section;
}

/**
 * The size in bytes of the section that begins with these `sectionHeadBytes`. Damage can change it.
 */
export function claimedSectionBytes(head: Buffer): number {
  return sectionHeadBytes + head.readUInt32LE(8);
}

/** The checksum that a section states; `openSection` says whether it is right. */
export function sectionChecksum(section: Buffer): number {
  return section.readUInt32LE(0);
}

/** Faults unless the bytes are exactly one undamaged section. */
export function openSection(section: Buffer): { kind: number; reader: ByteReader } {
  assert(section.length >= sectionHeadBytes, 'a section is cut');
  assert(claimedSectionBytes(section) === section.length, 'a section has another length');
  assert(section.readUInt32LE(0) === crc32c(section.subarray(4)), 'a section is damaged');
  return { kind: section.readUInt32LE(4), reader: createByteReader(section, sectionHeadBytes) };
}

/** Takes the next section. Faults unless it has this kind. */
export function openNextSection(sections: Iterator<Buffer>, kind: number): ByteReader {
  const next = sections.next();
  assert(next.done !== true, 'the sections end too early');
  const section = openSection(next.value);
  assert(section.kind === kind, `a section of kind ${section.kind} stands where ${kind} belongs`);
  return section.reader;
}
