// Sequential binary writing and reading, little-endian. The codecs (commands, snapshots) use these
// two records, which do not know what they carry. Reading asserts every length and range that the
// bytes claim.

import { assert } from './assert.ts';

export type ByteWriter = {
  buffer: Buffer;
  /** The same memory as `buffer`: its float64 reads and writes are compiled inline. */
  view: DataView;
  length: number;
};

const viewOf = (buffer: Buffer): DataView =>
  new DataView(buffer.buffer, buffer.byteOffset, buffer.length);

export function createByteWriter(capacity = 256): ByteWriter {
  const buffer = Buffer.allocUnsafe(capacity);
  return { buffer, view: viewOf(buffer), length: 0 };
}

/** A copy of what was written. */
export function writtenBytes(writer: ByteWriter): Buffer {
  return Buffer.from(writer.buffer.subarray(0, writer.length));
}

/** Makes room for `size` bytes and gives their offset. The caller must write every one of them. */
export function reserveBytes(writer: ByteWriter, size: number): number {
  const at = writer.length;
  const needed = at + size;
  if (needed > writer.buffer.length) grow(writer, needed);
  writer.length = needed;
  return at;
}

function grow(writer: ByteWriter, needed: number): void {
  const grown = Buffer.allocUnsafe(Math.max(needed, writer.buffer.length * 2));
  writer.buffer.copy(grown, 0, 0, writer.length);
  writer.buffer = grown;
  writer.view = viewOf(grown);
}

export function writeByte(writer: ByteWriter, value: number): void {
  assert((value & 0xff) === value, 'writeByte takes 0 to 255');
  const at = reserveBytes(writer, 1);
  writer.view.setUint8(at, value);
}

export function writeUint16(writer: ByteWriter, value: number): void {
  assert((value & 0xffff) === value, 'writeUint16 takes 0 to 65,535');
  const at = reserveBytes(writer, 2);
  writer.view.setUint16(at, value, true);
}

export function writeUint32(writer: ByteWriter, value: number): void {
  assert(value >>> 0 === value, 'writeUint32 takes 0 to 4,294,967,295');
  const at = reserveBytes(writer, 4);
  writer.view.setUint32(at, value, true);
}

/** A safe integer, signed, eight bytes (as a double: exact up to 2^53). */
export function writeInteger(writer: ByteWriter, value: number): void {
  assert(Number.isSafeInteger(value), 'writeInteger takes safe integers');
  const at = reserveBytes(writer, 8);
  writer.view.setFloat64(at, value, true);
}

/** Any number as it is, for values that the reader checks. */
export function writeNumber(writer: ByteWriter, value: number): void {
  const at = reserveBytes(writer, 8);
  writer.view.setFloat64(at, value, true);
}

export function writeFlag(writer: ByteWriter, value: boolean): void {
  writeByte(writer, value ? 1 : 0);
}

// A text is a head byte and its characters. The head is the number of ASCII characters, or one of
// these two values, followed by the number of UTF-16 units as four bytes. Every JavaScript string
// comes back as it was, with unpaired surrogates: a replica decodes exactly what was applied.
const longAscii = 254;
const wide = 255;
const textUnitsMax = 0xffff;

/**
 * Text of at most 65,535 UTF-16 units. ASCII of up to 253 characters takes one byte more than its
 * length.
 */
export function writeText(writer: ByteWriter, text: string): void {
  const units = text.length;
  if (units === 0) {
    writeByte(writer, 0);
    return;
  }
  assert(units <= textUnitsMax, 'text is too long for its length field');
  const before = writer.length;
  const head = units < longAscii ? 1 : 5;
  const at = reserveBytes(writer, head + units);
  const { buffer } = writer;
  let bits = 0;
  for (let i = 0; i < units; i += 1) {
    const unit = text.charCodeAt(i);
    bits |= unit;
    buffer[at + head + i] = unit;
  }
  if (bits > 127) {
    writer.length = before;
    writeWideText(writer, text);
    return;
  }
  buffer[at] = head === 1 ? units : longAscii;
  if (head === 5) writer.view.setUint32(at + 1, units, true);
}

function writeWideText(writer: ByteWriter, text: string): void {
  const at = reserveBytes(writer, 5 + 2 * text.length);
  writer.buffer[at] = wide;
  writer.view.setUint32(at + 1, text.length, true);
  writer.buffer.write(text, at + 5, 'utf16le');
}

export function writeBytes(writer: ByteWriter, bytes: Uint8Array): void {
  const at = reserveBytes(writer, 4 + bytes.length);
  writer.view.setUint32(at, bytes.length, true);
  writer.buffer.set(bytes, at + 4);
}

export type ByteReader = { buffer: Buffer; view: DataView; offset: number; end: number };

export function createByteReader(buffer: Buffer, offset = 0, end = buffer.length): ByteReader {
  assert(offset >= 0 && offset <= end && end <= buffer.length, 'a reader stays in its buffer');
  return { buffer, view: viewOf(buffer), offset, end };
}

/** Skips `size` bytes and gives the offset where they begin. Faults when there are fewer bytes. */
export function takeBytes(reader: ByteReader, size: number): number {
  const at = reader.offset;
  assert(at + size <= reader.end, 'the bytes end too early');
  reader.offset = at + size;
  return at;
}

export function readByte(reader: ByteReader): number {
  const at = takeBytes(reader, 1);
  return reader.view.getUint8(at);
}

export function readUint16(reader: ByteReader): number {
  const at = takeBytes(reader, 2);
  return reader.view.getUint16(at, true);
}

export function readUint32(reader: ByteReader): number {
  const at = takeBytes(reader, 4);
  return reader.view.getUint32(at, true);
}

export function readInteger(reader: ByteReader): number {
  return integerAt(reader.view, takeBytes(reader, 8));
}

/**
 * The safe integer at `at`. A value of 31 bits comes back as a small integer of the runtime. A
 * record holds it in place, while a double would be an object of its own.
 */
export function integerAt(view: DataView, at: number): number {
  const value = view.getFloat64(at, true);
  const small = value | 0;
  if (small === value) return small;
  assert(Number.isSafeInteger(value), 'an integer of the bytes is not safe');
  return value;
}

export function readNumber(reader: ByteReader): number {
  const value = reader.view.getFloat64(takeBytes(reader, 8), true);
  const small = value | 0;
  return Object.is(small, value) ? small : value;
}

export function readFlag(reader: ByteReader): boolean {
  const value = readByte(reader);
  assert(value <= 1, 'a flag of the bytes is neither 0 nor 1');
  return value === 1;
}

export function readText(reader: ByteReader): string {
  const head = readByte(reader);
  if (head === 0) return '';
  if (head < longAscii) return asciiAt(reader.buffer, takeBytes(reader, head), head);
  const units = readUint32(reader);
  assert(units <= textUnitsMax, 'a text of the bytes is too long');
  if (head === longAscii) return asciiAt(reader.buffer, takeBytes(reader, units), units);
  const at = takeBytes(reader, 2 * units);
  return reader.buffer.toString('utf16le', at, at + 2 * units);
}

const shortMax = 15;

// Cost: the call into the runtime takes 60 ns for any length. Joining up to 15 characters here,
// eight at a time, is faster.
function asciiAt(buffer: Buffer, start: number, size: number): string {
  if (size > shortMax) return buffer.toString('latin1', start, start + size);
  const end = start + size;
  let at = start;
  let text = '';
  if (size >= 8) {
    text = String.fromCharCode(
      buffer[at]!,
      buffer[at + 1]!,
      buffer[at + 2]!,
      buffer[at + 3]!,
      buffer[at + 4]!,
      buffer[at + 5]!,
      buffer[at + 6]!,
      buffer[at + 7]!,
    );
    at += 8;
  }
  for (; at < end; at += 1) text += String.fromCharCode(buffer[at]!);
  return text;
}

/** A view into the reader's buffer, not a copy. */
export function readBytes(reader: ByteReader): Buffer {
  const size = readUint32(reader);
  const start = takeBytes(reader, size);
  return reader.buffer.subarray(start, start + size);
}

/** Smaller buffers come from pools that others use. */
const ownBytesMin = 4096;

/**
 * Frees the memory of bytes that the platform has just read, if they have a buffer of their own.
 * The caller must have kept no part of them. The garbage collector would free them late. It also
 * stops the thread more often and for longer when much memory outside its heap waits for it.
 */
export function freeReceived(bytes: Buffer): void {
  const { buffer, length } = bytes;
  if (length <= ownBytesMin || length !== buffer.byteLength) return;
  (buffer as ArrayBuffer).transfer(0);
}
