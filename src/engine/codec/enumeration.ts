// Enumerations as small numbers, the place in their list, for codecs and hashes.

import { Fault } from '../../std/assert.ts';
import { type ByteReader, type ByteWriter, readByte, writeByte } from '../../std/bytes.ts';

/** The place of `value` in `list`. Faults on a value that is not in it. */
export function enumerationIndex<T extends string>(list: readonly T[], value: T): number {
  for (let i = 0; i < list.length; i += 1) if (list[i] === value) return i;
  throw new Fault(`${value} is not one of ${list.join(', ')}`);
}

/**
 * The value at a place of `list`. Faults on a place outside it. The text of the fault is made only
 * then: it took a quarter of the time in which a snapshot was read.
 */
export function enumerationAt<T extends string>(list: readonly T[], index: number): T {
  const value = list[index];
  if (value === undefined) throw new Fault(`the bytes name no place of ${list.join(', ')}`);
  return value;
}

/** Writes the place of `value` in `list` as one byte; undefined is 255. */
export function writeEnumeration<T extends string>(
  writer: ByteWriter,
  list: readonly T[],
  value: T | undefined,
): void {
  writeByte(writer, value === undefined ? 255 : enumerationIndex(list, value));
}

/** Reads what `writeEnumeration` wrote. Faults on a place outside the list. */
export function readEnumeration<T extends string>(reader: ByteReader, list: readonly T[]): T {
  const value = readOptionalEnumeration(reader, list);
  if (value === undefined) throw new Fault(`the bytes name none of ${list.join(', ')}`);
  return value;
}

/** The same for a value that may be missing. */
export function readOptionalEnumeration<T extends string>(
  reader: ByteReader,
  list: readonly T[],
): T | undefined {
  const index = readByte(reader);
  return index === 255 ? undefined : enumerationAt(list, index);
}
