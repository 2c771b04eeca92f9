// Addresses and hashes as bytes: texts of `0x` and hex digits in lower case. So there is one
// spelling in the log and in the state.

import { assert } from '../../std/assert.ts';
import { type ByteReader, type ByteWriter, reserveBytes, takeBytes } from '../../std/bytes.ts';

export const addressBytes = 20;
export const hashBytes = 32;

/** Faults on a text that has not exactly so many bytes in lower case. */
export function writeHexText(writer: ByteWriter, text: string, size: number): void {
  const isHex = text.length === 2 + 2 * size && /^0x[0-9a-f]*$/.test(text);
  assert(isHex, `an address or a hash is 0x and ${2 * size} hex digits in lower case`);
  const at = reserveBytes(writer, size);
  writer.buffer.write(text.slice(2), at, 'hex');
}

export function readHexText(reader: ByteReader, size: number): string {
  const at = takeBytes(reader, size);
  return `0x${reader.buffer.toString('hex', at, at + size)}`;
}
