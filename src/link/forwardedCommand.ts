// The record of a command that is passed on to the holder of the lease.

import { isFault } from '../std/assert.ts';
import {
  createByteReader,
  createByteWriter,
  readByte,
  readBytes,
  readInteger,
  readText,
  writeByte,
  writeBytes,
  writeInteger,
  writeText,
  writtenBytes,
} from '../std/bytes.ts';
import { LinkBreach } from './frameReader.ts';

export type ForwardedCommand = {
  readonly lane: 'order' | 'reserve';
  /**
   * The wallet of the account that the command names, as the sender knows it; empty: it names none.
   * The number of an account may belong to another one by the time it arrives.
   */
  readonly wallet: string;
  /**
   * The number of the API key of an order, which counts in the limits of that key; 0: it came with
   * a token; undefined: the command is no order.
   */
  readonly key: number | undefined;
  /** As in the log; its deadline does not count. */
  readonly command: Uint8Array;
};

/** Of the form of the record. */
const version = 1;
const lanes = ['order', 'reserve'] as const;
const noOrder = -1;

export function encodeForwarded({ lane, wallet, key, command }: ForwardedCommand): Buffer {
  const writer = createByteWriter(command.length + 64);
  writeByte(writer, version);
  writeByte(writer, lanes.indexOf(lane));
  writeText(writer, wallet);
  writeInteger(writer, key ?? noOrder);
  writeBytes(writer, command);
  return writtenBytes(writer);
}

/** Throws `LinkBreach`. The command is a view of the bytes. */
export function decodeForwarded(bytes: Buffer): ForwardedCommand {
  try {
    const reader = createByteReader(bytes);
    const found = readByte(reader);
    if (found !== version) throw new LinkBreach(`a request came in version ${found} of its form`);
    const lane = lanes[readByte(reader)];
    if (lane === undefined) throw new LinkBreach('a request names an unknown lane');
    const wallet = readText(reader);
    const key = readInteger(reader);
    const command = readBytes(reader);
    if (reader.offset !== reader.end) throw new LinkBreach('a request is too long');
    return { lane, wallet, key: key === noOrder ? undefined : key, command };
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new LinkBreach(`a request cannot be read: ${error.message}`, { cause: error });
  }
}
