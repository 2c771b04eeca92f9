// Sequential binary writing and reading, little-endian. Codecs (commands, snapshots, frames) are
// built on these two records; neither knows what it carries.

import { assert } from './assert.ts';

export type ByteWriter = { buffer: Buffer; length: number };

export function createByteWriter(capacity = 256): ByteWriter {
  return { buffer: Buffer.allocUnsafe(capacity), length: 0 };
}

/** A copy of what was written. */
export function writtenBytes(writer: ByteWriter): Buffer {
  return Buffer.from(writer.buffer.subarray(0, writer.length));
}

function reserve(writer: ByteWriter, size: number): number {
  const at = writer.length;
  const needed = at + size;
  if (needed > writer.buffer.length) {
    const grown = Buffer.allocUnsafe(Math.max(needed, writer.buffer.length * 2));
    writer.buffer.copy(grown, 0, 0, at);
    writer.buffer = grown;
  }
  writer.length = needed;
  return at;
}

export function writeByte(writer: ByteWriter, value: number): void {
  const at = reserve(writer, 1);
  writer.buffer[at] = value;
}

export function writeUint32(writer: ByteWriter, value: number): void {
  const at = reserve(writer, 4);
  writer.buffer.writeUInt32LE(value, at);
}

/** A safe integer, signed, eight bytes (as a double: exact up to 2^53). */
export function writeInteger(writer: ByteWriter, value: number): void {
  assert(Number.isSafeInteger(value), 'writeInteger takes safe integers');
  const at = reserve(writer, 8);
  writer.buffer.writeDoubleLE(value, at);
}

export function writeFlag(writer: ByteWriter, value: boolean): void {
  writeByte(writer, value ? 1 : 0);
}

/** UTF-8 text of at most 65,535 bytes. */
export function writeText(writer: ByteWriter, text: string): void {
  const size = Buffer.byteLength(text, 'utf8');
  assert(size <= 0xffff, 'text is too long for its length field');
  const at = reserve(writer, 2 + size);
  writer.buffer.writeUInt16LE(size, at);
  if (size > 0) writer.buffer.write(text, at + 2, size, 'utf8');
}

export function writeBytes(writer: ByteWriter, bytes: Uint8Array): void {
  const at = reserve(writer, 4 + bytes.length);
  writer.buffer.writeUInt32LE(bytes.length, at);
  writer.buffer.set(bytes, at + 4);
}

export type ByteReader = { buffer: Buffer; offset: number; end: number };

export function createByteReader(buffer: Buffer, offset = 0, end = buffer.length): ByteReader {
  return { buffer, offset, end };
}

function advance(reader: ByteReader, size: number): number {
  const at = reader.offset;
  assert(at + size <= reader.end, 'the bytes end too early');
  reader.offset = at + size;
  return at;
}

export function readByte(reader: ByteReader): number {
  const at = advance(reader, 1);
  return reader.buffer[at]!;
}

export function readUint32(reader: ByteReader): number {
  const at = advance(reader, 4);
  return reader.buffer.readUInt32LE(at);
}

export function readInteger(reader: ByteReader): number {
  const at = advance(reader, 8);
  const value = reader.buffer.readDoubleLE(at);
  assert(Number.isSafeInteger(value), 'an integer of the bytes is not safe');
  return value;
}

export function readFlag(reader: ByteReader): boolean {
  const value = readByte(reader);
  assert(value <= 1, 'a flag of the bytes is neither 0 nor 1');
  return value === 1;
}

export function readText(reader: ByteReader): string {
  const at = advance(reader, 2);
  const size = reader.buffer.readUInt16LE(at);
  if (size === 0) return '';
  const start = advance(reader, size);
  return reader.buffer.toString('utf8', start, start + size);
}

export function readBytes(reader: ByteReader): Buffer {
  const at = advance(reader, 4);
  const size = reader.buffer.readUInt32LE(at);
  const start = advance(reader, size);
  return reader.buffer.subarray(start, start + size);
}
