// What two processes of a deployment say to each other, and its bytes. A message that cannot be
// read is a breach with a sentence. The numbers of the kinds only grow.

import type { LogPlace } from '../log/log.ts';
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
  readUint32,
  writeByte,
  writeBytes,
  writeInteger,
  writeText,
  writeUint32,
  writtenBytes,
} from '../std/bytes.ts';
import { LinkBreach } from './frameReader.ts';

/** Of this file and of the order in which messages come. */
export const linkVersion = 3;

/** The first message in each direction. */
export type Hello = {
  readonly kind: 'hello';
  readonly version: number;
  /** This start of the process; no other start has the same. */
  readonly process: string;
  readonly release: string;
  readonly engineHash: string;
};

/** A follower wants the batches behind this place, which it has applied. */
export type Follow = { readonly kind: 'follow'; readonly place: LogPlace };

/** The holder's answer to `follow`: the epoch of its lease, and where its feed begins. */
export type Lead = { readonly kind: 'lead'; readonly epoch: number; readonly durable: LogPlace };

/** A durable batch. */
export type FedBatch = {
  readonly kind: 'batch';
  readonly epoch: number;
  readonly position: number;
  readonly previousHash: Buffer;
  readonly hash: Buffer;
  readonly time: number;
  readonly engineHash: string;
  readonly count: number;
  readonly commands: Buffer;
  /** Which request each command is; empty: no command came from another process. */
  readonly origins: Buffer;
  /** What the holder's replica was after it; equal replicas have equal texts. */
  readonly figures: string;
};

/** What came from this process on earlier links is in batches up to here, or will never be. */
export type Settled = { readonly kind: 'settled'; readonly position: number };

/** A request that is passed on; each has a larger number, also one that is sent again. */
export type ForwardedRequest = {
  readonly number: number;
  /** How long ago the client's request came, in milliseconds. */
  readonly ageMs: number;
  readonly record: Buffer;
};
export type Requests = {
  readonly kind: 'requests';
  readonly requests: readonly ForwardedRequest[];
};

/** Why the holder has not taken a request. The numbers of the reasons only grow. */
export const requestRefusals = [
  'overloaded',
  'stopping',
  'waiting',
  'diskFull',
  'memoryShort',
  'tokenInvalid',
  'tooManyRequests',
  'apiKeyInvalid',
  'apiKeyDisabled',
  'callerChanged',
] as const;
export type RequestRefusal = (typeof requestRefusals)[number];

/** This request was not executed, and never will be. */
export type Refused = {
  readonly kind: 'refused';
  readonly number: number;
  readonly why: RequestRefusal;
};

/** A follower asks what is durable now: it answers reads only when it has applied that. */
export type Ask = { readonly kind: 'ask'; readonly number: number };
/** The answer to that question, by a process that has the lease now. */
export type Durable = {
  readonly kind: 'durable';
  readonly number: number;
  readonly position: number;
};

/** What a process has itself counted under a name, in the window that ends at `until`. */
export type Use = { readonly name: string; readonly until: number; readonly total: number };
/** Totals of one process, which need not be the sender (uses.ts). */
export type Uses = {
  readonly kind: 'uses';
  readonly process: string;
  readonly uses: readonly Use[];
};

/** Something small that all processes know; a later version replaces an earlier one (facts.ts). */
export type Fact = {
  readonly name: string;
  readonly version: number;
  /** When it may be forgotten, in milliseconds since the epoch. */
  readonly until: number;
  readonly value: string;
};
export type Facts = { readonly kind: 'facts'; readonly facts: readonly Fact[] };

/** The holder gives the lease away now. It decides nothing: the lease shows who has it. */
export type Leaving = { readonly kind: 'leaving' };

export type Beat = { readonly kind: 'beat' };
/** Why the sender ends the link. */
export type Bye = { readonly kind: 'bye'; readonly why: string };

export type LinkMessage =
  | Hello
  | Follow
  | Lead
  | FedBatch
  | Settled
  | Requests
  | Refused
  | Ask
  | Durable
  | Uses
  | Facts
  | Leaving
  | Beat
  | Bye;

type Kind = LinkMessage['kind'];
const kinds: readonly Kind[] = [
  'hello',
  'beat',
  'bye',
  'follow',
  'lead',
  'batch',
  'settled',
  'requests',
  'refused',
  'ask',
  'durable',
  'uses',
  'facts',
  'leaving',
];

/** The requests of one message; its sender makes a next one. */
export const requestsMax = 1000;
export const recordBytesMax = 64 * 1024;

export function encodeMessage(message: LinkMessage): Buffer {
  const writer = createByteWriter(message.kind === 'batch' ? message.commands.length + 512 : 256);
  writeByte(writer, kinds.indexOf(message.kind));
  writeBody(writer, message);
  return writtenBytes(writer);
}

function writeBody(writer: ByteWriter, message: LinkMessage): void {
  switch (message.kind) {
    case 'hello':
      writeUint32(writer, message.version);
      writeText(writer, message.process);
      writeText(writer, message.release);
      return writeText(writer, message.engineHash);
    case 'follow':
      return writePlace(writer, message.place);
    case 'lead':
      writeInteger(writer, message.epoch);
      return writePlace(writer, message.durable);
    case 'batch':
      return writeBatch(writer, message);
    case 'settled':
      return writeInteger(writer, message.position);
    case 'requests':
      writeUint32(writer, message.requests.length);
      for (const { number, ageMs, record } of message.requests) {
        writeInteger(writer, number);
        writeInteger(writer, ageMs);
        writeBytes(writer, record);
      }
      return;
    case 'refused':
      writeInteger(writer, message.number);
      return writeByte(writer, requestRefusals.indexOf(message.why));
    case 'ask':
      return writeInteger(writer, message.number);
    case 'durable':
      writeInteger(writer, message.number);
      return writeInteger(writer, message.position);
    case 'uses':
      writeText(writer, message.process);
      writeUint32(writer, message.uses.length);
      for (const { name, until, total } of message.uses) {
        writeText(writer, name);
        writeInteger(writer, until);
        writeInteger(writer, total);
      }
      return;
    case 'facts':
      writeUint32(writer, message.facts.length);
      for (const { name, version, until, value } of message.facts) {
        writeText(writer, name);
        writeInteger(writer, version);
        writeInteger(writer, until);
        writeText(writer, value);
      }
      return;
    case 'bye':
      return writeText(writer, message.why);
    case 'beat':
    case 'leaving':
      return;
  }
}

function writePlace(writer: ByteWriter, { position, hash }: LogPlace): void {
  writeInteger(writer, position);
  writeText(writer, hash);
}

function writeBatch(writer: ByteWriter, batch: FedBatch): void {
  writeInteger(writer, batch.epoch);
  writeInteger(writer, batch.position);
  writeBytes(writer, batch.previousHash);
  writeBytes(writer, batch.hash);
  writeInteger(writer, batch.time);
  writeText(writer, batch.engineHash);
  writeUint32(writer, batch.count);
  writeBytes(writer, batch.commands);
  writeBytes(writer, batch.origins);
  writeText(writer, batch.figures);
}

/** Reads a message, into which it keeps views. Throws `LinkBreach`. */
export function decodeMessage(bytes: Buffer): LinkMessage {
  try {
    const reader = createByteReader(bytes);
    const kind = kinds[readByte(reader)];
    if (kind === undefined) throw new LinkBreach('a message of an unknown kind came');
    const message = readBody(reader, kind);
    if (reader.offset !== reader.end) throw new LinkBreach(`a message "${kind}" is too long`);
    return message;
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new LinkBreach(`a message cannot be read: ${error.message}`, { cause: error });
  }
}

function readBody(reader: ByteReader, kind: Kind): LinkMessage {
  switch (kind) {
    case 'hello': {
      const version = readUint32(reader);
      // Another version may have another form from here on.
      if (version !== linkVersion) {
        throw new LinkBreach(
          `the peer speaks version ${version} of the link, and this release version ${linkVersion}`,
        );
      }
      const process = readText(reader);
      const release = readText(reader);
      return { kind, version, process, release, engineHash: readText(reader) };
    }
    case 'follow':
      return { kind, place: readPlace(reader) };
    case 'lead':
      return { kind, epoch: readCount(reader), durable: readPlace(reader) };
    case 'batch':
      return readBatch(reader);
    case 'settled':
      return { kind, position: readCount(reader) };
    case 'requests':
      return { kind, requests: readRequests(reader) };
    case 'refused':
      return { kind, number: readCount(reader), why: readRefusal(reader) };
    case 'ask':
      return { kind, number: readCount(reader) };
    case 'durable':
      return { kind, number: readCount(reader), position: readCount(reader) };
    case 'uses':
      return { kind, process: readText(reader), uses: readUses(reader) };
    case 'facts':
      return { kind, facts: readFacts(reader) };
    case 'bye':
      return { kind, why: readText(reader) };
    case 'beat':
    case 'leaving':
      return { kind };
  }
}

function readRequests(reader: ByteReader): ForwardedRequest[] {
  const count = readUint32(reader);
  if (count > requestsMax) throw new LinkBreach(`${count} requests came in one message`);
  const requests: ForwardedRequest[] = [];
  for (let index = 0; index < count; index += 1) {
    const number = readCount(reader);
    const ageMs = readCount(reader);
    const record = readBytes(reader);
    if (record.length > recordBytesMax) {
      throw new LinkBreach(`a request of ${record.length} bytes came`);
    }
    requests.push({ number, ageMs, record });
  }
  return requests;
}

function readRefusal(reader: ByteReader): RequestRefusal {
  const why = requestRefusals[readByte(reader)];
  if (why === undefined) throw new LinkBreach('a request was refused for an unknown reason');
  return why;
}

/** The entries of one message of uses or facts. */
export const entriesMax = 2000;

function readEntries<Entry>(reader: ByteReader, read: () => Entry): Entry[] {
  const count = readUint32(reader);
  if (count > entriesMax) throw new LinkBreach(`${count} entries came in one message`);
  return Array.from({ length: count }, read);
}

function readUses(reader: ByteReader): Use[] {
  return readEntries(reader, () => {
    const name = readText(reader);
    return { name, until: readCount(reader), total: readCount(reader) };
  });
}

function readFacts(reader: ByteReader): Fact[] {
  return readEntries(reader, () => {
    const name = readText(reader);
    const version = readCount(reader);
    return { name, version, until: readCount(reader), value: readText(reader) };
  });
}

function readPlace(reader: ByteReader): LogPlace {
  const position = readCount(reader);
  const hash = readText(reader);
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new LinkBreach('a place in the log has no hash');
  return { position, hash };
}

function readBatch(reader: ByteReader): FedBatch {
  return {
    kind: 'batch',
    epoch: readCount(reader),
    position: readCount(reader),
    previousHash: readBytes(reader),
    hash: readBytes(reader),
    time: readCount(reader),
    engineHash: readText(reader),
    count: readUint32(reader),
    commands: readBytes(reader),
    origins: readBytes(reader),
    figures: readText(reader),
  };
}

function readCount(reader: ByteReader): number {
  const count = readInteger(reader);
  if (count < 0) throw new LinkBreach('a number that counts is below zero');
  return count;
}
