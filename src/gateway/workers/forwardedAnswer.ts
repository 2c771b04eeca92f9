// What the serving thread sends to a worker, as bytes: answers to requests, secrets of keys with
// which the worker may check signatures from then on, and what later answers refer to. One message
// has many of them.

import { deserialize, serialize } from 'node:v8';
import type { Answer } from '../../api/operation.ts';
import type { MarketGrid } from '../../engine/views/market.ts';
import type { Order } from '../../engine/views/order.ts';
import { readOrder, type WrittenOrder, writeOrder } from '../../engine/views/writeOrder.ts';
import { must } from '../../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  readByte,
  readBytes,
  readFlag,
  readInteger,
  readNumber,
  readText,
  readUint16,
  readUint32,
  reserveBytes,
  takeBytes,
  writeByte,
  writeBytes,
  writeFlag,
  writeInteger,
  writeNumber,
  writeText,
  writeUint16,
  writeUint32,
} from '../../std/bytes.ts';
import { addressLimits, type ExhaustedLimit } from '../exhaustedLimits.ts';
import type { HmacKey } from '../identity/hmacSignature.ts';
import type { PreparedDocument } from '../preparedDocument.ts';
import { type Usage, unseenUsage } from '../responder.ts';

export type ForwardedAnswer = {
  readonly kind: 'answer';
  readonly id: number;
  readonly answer: Answer;
  readonly usage: Usage;
};

/** A document that the worker already has, by its tag. */
export type ForwardedDocument = {
  readonly kind: 'document';
  readonly id: number;
  readonly tag: string;
};

/** The order that the answer shows; the worker writes its text. */
export type ForwardedOrder = {
  readonly kind: 'order';
  readonly id: number;
  readonly order: WrittenOrder;
  readonly usage: Usage;
};

export type KeyNotice = { readonly kind: 'key'; readonly apiKey: string; readonly key: HmacKey };

/** What a client has left of a limit: the worker may refuse heavier requests by itself. */
export type LimitNotice = ExhaustedLimit & { readonly kind: 'limit' };

/** What later answers refer to: a document that they name, or the market of their orders. */
export type Reference = { readonly document: PreparedDocument } | { readonly market: MarketGrid };

export type ReferenceNotice = { readonly kind: 'reference'; readonly reference: Reference };

type ToWorker =
  | ForwardedAnswer
  | ForwardedDocument
  | ForwardedOrder
  | KeyNotice
  | LimitNotice
  | ReferenceNotice;

const kinds = ['answer', 'key', 'limit', 'document', 'order', 'reference'] as const;

/** Of the usage, it writes only what HTTP shows. */
export function writeAnswer(
  writer: ByteWriter,
  { id, answer, usage }: Omit<ForwardedAnswer, 'kind'>,
): void {
  writeByte(writer, kinds.indexOf('answer'));
  writeUint32(writer, id);
  writeUint16(writer, answer.status);
  writeUsage(writer, usage);
  writeText(writer, answer.contentType ?? '');
  writeLongText(writer, answer.text);
}

/** The order must be plain. */
export function writeOrderAnswer(
  writer: ByteWriter,
  { id, order, usage }: Pick<ForwardedOrder, 'id' | 'usage'> & { readonly order: Order },
): void {
  writeByte(writer, kinds.indexOf('order'));
  writeUint32(writer, id);
  writeUsage(writer, usage);
  writeOrder(writer, order);
}

function writeUsage(writer: ByteWriter, { weight, orders10s, orders1m }: Usage): void {
  writeInteger(writer, weight);
  writeInteger(writer, orders10s);
  writeInteger(writer, orders1m);
}

function readUsage(reader: ByteReader): Usage {
  const weight = readInteger(reader);
  const orders10s = readInteger(reader);
  return { ...unseenUsage, weight, orders10s, orders1m: readInteger(reader) };
}

export function writeDocument(
  writer: ByteWriter,
  { id, tag }: Omit<ForwardedDocument, 'kind'>,
): void {
  writeByte(writer, kinds.indexOf('document'));
  writeUint32(writer, id);
  writeText(writer, tag);
}

export function writeKey(writer: ByteWriter, { apiKey, key }: Omit<KeyNotice, 'kind'>): void {
  writeByte(writer, kinds.indexOf('key'));
  writeText(writer, apiKey);
  writeBytes(writer, key.inner);
  writeBytes(writer, key.outer);
}

export function writeLimit(
  writer: ByteWriter,
  { limit, limitKey, minute, used, left }: ExhaustedLimit,
): void {
  writeByte(writer, kinds.indexOf('limit'));
  writeByte(writer, addressLimits.indexOf(limit));
  writeText(writer, limitKey);
  writeNumber(writer, minute);
  writeInteger(writer, used);
  writeInteger(writer, left);
}

/** References are rare: they go in the runtime's own form of records. */
export function writeReference(writer: ByteWriter, reference: Reference): void {
  writeByte(writer, kinds.indexOf('reference'));
  writeBytes(writer, serialize(reference));
}

function readReference(reader: ByteReader): ReferenceNotice {
  // Of a copy, because the bytes of a document stay in it.
  const bytes = Buffer.from(readBytes(reader));
  return { kind: 'reference', reference: deserialize(bytes) as Reference };
}

function readLimit(reader: ByteReader): LimitNotice {
  const limit = must(addressLimits[readByte(reader)], 'the bytes name a limit that is none');
  const limitKey = readText(reader);
  const minute = readNumber(reader);
  const used = readInteger(reader);
  return { kind: 'limit', limit, limitKey, minute, used, left: readInteger(reader) };
}

export function readToWorker(reader: ByteReader): ToWorker {
  const kind = must(kinds[readByte(reader)], 'the bytes are of no kind');
  if (kind === 'limit') return readLimit(reader);
  if (kind === 'reference') return readReference(reader);
  if (kind === 'key') {
    const apiKey = readText(reader);
    // Copies, because they are kept and the message is not.
    const inner = Buffer.from(readBytes(reader));
    return { kind, apiKey, key: { inner, outer: Buffer.from(readBytes(reader)) } };
  }
  const id = readUint32(reader);
  if (kind === 'document') return { kind, id, tag: readText(reader) };
  if (kind === 'order') {
    const usage = readUsage(reader);
    return { kind, id, order: readOrder(reader), usage };
  }
  const status = readUint16(reader);
  const usage = readUsage(reader);
  const contentType = readText(reader);
  const text = readLongText(reader);
  const answer = contentType === '' ? { status, text } : { status, text, contentType };
  return { kind, id, answer, usage };
}

/** Text of any length as it goes over HTTP: ASCII or UTF-8. */
function writeLongText(writer: ByteWriter, text: string): void {
  const size = Buffer.byteLength(text);
  const ascii = size === text.length;
  writeFlag(writer, ascii);
  writeUint32(writer, size);
  const at = reserveBytes(writer, size);
  writer.buffer.write(text, at, ascii ? 'latin1' : 'utf8');
}

function readLongText(reader: ByteReader): string {
  const encoding = readFlag(reader) ? 'latin1' : 'utf8';
  const size = readUint32(reader);
  const at = takeBytes(reader, size);
  return reader.buffer.toString(encoding, at, at + size);
}
