// Which request each command of a batch is: the start of the process that received it, and the
// number that this process gave it. The bytes stand beside the batch, outside of its hash.

import { isFault } from '../std/assert.ts';
import {
  createByteReader,
  createByteWriter,
  readInteger,
  readText,
  readUint16,
  writeInteger,
  writeText,
  writeUint16,
  writtenBytes,
} from '../std/bytes.ts';
import { LinkBreach } from './frameReader.ts';

export type Origin = { readonly process: string; readonly number: number };

const nowhere = Buffer.alloc(0);

/**
 * One for each command, in their order; undefined: the command came from no other process. Without
 * any origin the bytes are empty.
 */
export function encodeOrigins(origins: readonly (Origin | undefined)[]): Buffer {
  const processes = [...new Set(origins.flatMap((origin) => origin?.process ?? []))];
  if (processes.length === 0) return nowhere;
  const writer = createByteWriter(64 + 10 * origins.length);
  writeUint16(writer, processes.length);
  for (const process of processes) writeText(writer, process);
  for (const origin of origins) {
    // Zero stands for no origin.
    writeUint16(writer, origin === undefined ? 0 : 1 + processes.indexOf(origin.process));
    if (origin !== undefined) writeInteger(writer, origin.number);
  }
  return writtenBytes(writer);
}

/** Throws `LinkBreach` when the bytes are not the origins of `count` commands. */
export function decodeOrigins(bytes: Buffer, count: number): (Origin | undefined)[] {
  if (bytes.length === 0) return Array.from({ length: count }, () => undefined);
  try {
    const reader = createByteReader(bytes);
    const processes = Array.from({ length: readUint16(reader) }, () => readText(reader));
    const origins = Array.from({ length: count }, () => {
      const place = readUint16(reader);
      if (place === 0) return undefined;
      const process = processes[place - 1];
      if (process === undefined) throw new LinkBreach('an origin names no process');
      return { process, number: readInteger(reader) };
    });
    if (reader.offset !== reader.end) throw new LinkBreach('origins are too long');
    return origins;
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new LinkBreach(`origins cannot be read: ${error.message}`, { cause: error });
  }
}
