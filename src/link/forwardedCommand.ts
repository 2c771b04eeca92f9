// The record of a command that is passed on to the holder of the lease.

import { isFault } from '../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
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

/** Whose command it is, as the sender knows it: a key and its profile, or a session. */
export type Caller =
  | { readonly key: number; readonly profile: string }
  | { readonly session: number };

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
  /** undefined: there is none to compare. */
  readonly caller: Caller | undefined;
  /** As in the log; its deadline does not count. */
  readonly command: Uint8Array;
};

/** Of the form of the record. */
const version = 2;
const lanes = ['order', 'reserve'] as const;
const callers = ['none', 'key', 'session'] as const;
const noOrder = -1;

export function encodeForwarded(forwarded: ForwardedCommand): Buffer {
  const { lane, wallet, key, caller, command } = forwarded;
  const writer = createByteWriter(command.length + 128);
  writeByte(writer, version);
  writeByte(writer, lanes.indexOf(lane));
  writeText(writer, wallet);
  writeInteger(writer, key ?? noOrder);
  writeCaller(writer, caller);
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
    const caller = readCaller(reader);
    const command = readBytes(reader);
    if (reader.offset !== reader.end) throw new LinkBreach('a request is too long');
    return { lane, wallet, key: key === noOrder ? undefined : key, caller, command };
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new LinkBreach(`a request cannot be read: ${error.message}`, { cause: error });
  }
}

function writeCaller(writer: ByteWriter, caller: Caller | undefined): void {
  const kind = caller === undefined ? 'none' : 'key' in caller ? 'key' : 'session';
  writeByte(writer, callers.indexOf(kind));
  if (caller === undefined) return;
  if ('session' in caller) writeInteger(writer, caller.session);
  else {
    writeInteger(writer, caller.key);
    writeText(writer, caller.profile);
  }
}

function readCaller(reader: ByteReader): Caller | undefined {
  const kind = callers[readByte(reader)];
  if (kind === undefined) throw new LinkBreach('a request has an unknown kind of caller');
  if (kind === 'none') return undefined;
  if (kind === 'session') return { session: readInteger(reader) };
  return { key: readInteger(reader), profile: readText(reader) };
}
