// A request as bytes, from the worker that read it to the serving thread. One message has many
// requests. Nothing is interpreted here. In front of a request stands the command that the worker
// has made of it, if there is one.

import { assert, must } from '../../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  readByte,
  readBytes,
  readNumber,
  readText,
  readUint16,
  readUint32,
  reserveBytes,
  writeByte,
  writeBytes,
  writeNumber,
  writeText,
  writeUint16,
  writeUint32,
} from '../../std/bytes.ts';
import {
  handlerHeaderNames,
  type IncomingRequest,
  type ReadHeaders,
  type SignatureVerdict,
} from '../incomingRequest.ts';
import { type Body, givenBody } from '../readBody.ts';
import { type MadeCommand, type ReceivedMade, readMade, writeMade } from './madeCommand.ts';

/** `handler`: the number of its handler. */
export type ForwardedRequest = {
  readonly id: number;
  readonly handler: number;
  readonly incoming: Omit<IncomingRequest, 'readBody'>;
  readonly body: Body;
  /** The command that the worker has made of it, if it could. */
  readonly made?: MadeCommand | undefined;
};

/** The same in the serving thread: its body is already read. */
type Received = {
  readonly id: number;
  readonly handler: number;
  /** By the stopwatch of this thread. */
  readonly startedAt: number;
};
export type ReceivedRequest = Received & { readonly incoming: IncomingRequest };
/** A request of which the worker has made the command. */
export type ReceivedCommand = Received & { readonly made: ReceivedMade; readonly target: string };

/** What the reading thread adds. */
export type RequestReading = {
  /** Its lag (`stopwatchLagMs`). */
  readonly lagMs: number;
  /** The callback for secrets. */
  readonly learn: IncomingRequest['learn'];
  /** Whether it performs the commands that workers make of this handler's requests. */
  readonly takesMade: (handler: number) => boolean;
};

const loginPath = '/api/v1/auth/login';

const verdicts: readonly SignatureVerdict[] = ['unknown', 'valid', 'invalid'];

/** `lagMs`: the lag of this thread's stopwatch (`stopwatchLagMs`). */
export function writeRequest(writer: ByteWriter, request: ForwardedRequest, lagMs: number): void {
  const { id, handler, incoming, body, made } = request;
  writeUint32(writer, id);
  writeUint16(writer, handler);
  writeNumber(writer, incoming.startedAt + lagMs);
  const sizesAt = reserveBytes(writer, sizesBytes);
  const madeAt = writer.length;
  if (made !== undefined) writeMade(writer, made);
  const restAt = writer.length;
  writeRest(writer, incoming, body);
  writer.view.setUint32(sizesAt, restAt - madeAt, true);
  writer.view.setUint32(sizesAt + 4, writer.length - restAt, true);
}

/** The bytes of the command, 0 if there is none, and those of the request as it came. */
const sizesBytes = 8;

function writeRest(writer: ByteWriter, incoming: ForwardedRequest['incoming'], body: Body): void {
  writeText(writer, incoming.target);
  writeByte(writer, verdicts.indexOf(incoming.verdict));
  writeText(writer, incoming.method);
  writeText(writer, incoming.peer);
  writeHeaders(writer, incoming);
  const params = Object.entries(incoming.params);
  writeByte(writer, params.length);
  for (const [name, value] of params) {
    writeText(writer, name);
    writeText(writer, value);
  }
  writeBody(writer, body);
}

/** The command of a request, or the request as it came. */
export function readRequest(
  reader: ByteReader,
  reading: RequestReading,
): ReceivedRequest | ReceivedCommand {
  const id = readUint32(reader);
  const handler = readUint16(reader);
  const startedAt = readNumber(reader) - reading.lagMs;
  const madeSize = readUint32(reader);
  const restSize = readUint32(reader);
  const restAt = reader.offset + madeSize;
  const received = { id, handler, startedAt };
  if (madeSize === 0 || !reading.takesMade(handler)) {
    reader.offset = restAt;
    return { ...received, incoming: readRest(reader, startedAt, reading.learn) };
  }
  const made = readMade(reader);
  // The request as it came begins with its target.
  reader.offset = restAt;
  const target = readText(reader);
  reader.offset = restAt + restSize;
  return { ...received, made, target };
}

function readRest(
  reader: ByteReader,
  startedAt: number,
  learn: IncomingRequest['learn'],
): IncomingRequest {
  const target = readText(reader);
  const verdict = must(verdicts[readByte(reader)], 'a verdict of the bytes is none');
  const method = readText(reader);
  const peer = readText(reader);
  const headers = readHeaders(reader);
  const params = readParams(reader);
  const body = readBody(reader);
  return {
    ...{ method, target, peer, headers, readBody: givenBody(body) },
    ...{ params, startedAt, verdict, learn },
  };
}

/** The kinds of a body. */
const bodyKinds = ['none', 'bytes', 'bodyTooLarge', 'requestMalformed'] as const;

function writeBody(writer: ByteWriter, body: Body): void {
  const isRead = typeof body === 'object';
  writeByte(writer, bodyKinds.indexOf(isRead ? 'bytes' : (body ?? 'none')));
  if (isRead) writeBytes(writer, body);
}

function readBody(reader: ByteReader): Body {
  const kind = must(bodyKinds[readByte(reader)], 'a body of the bytes is of no kind');
  // A copy, because the other thread writes there again.
  if (kind === 'bytes') return Buffer.from(readBytes(reader));
  return kind === 'none' ? undefined : kind;
}

// An empty header differs from one that was not sent: one bit for each header shows which were.
function writeHeaders(
  writer: ByteWriter,
  { headers, target }: Pick<IncomingRequest, 'headers' | 'target'>,
): void {
  let present = 0;
  for (let i = 0; i < handlerHeaderNames.length; i += 1) {
    if (typeof headers[handlerHeaderNames[i]!] === 'string') present |= 1 << i;
  }
  if (!target.startsWith(loginPath)) present &= ~(1 << handlerHeaderNames.indexOf('user-agent'));
  writeByte(writer, present);
  for (let i = 0; i < handlerHeaderNames.length; i += 1) {
    if ((present & (1 << i)) !== 0) writeText(writer, headers[handlerHeaderNames[i]!] as string);
  }
}

function readHeaders(reader: ByteReader): ReadHeaders {
  const present = readByte(reader);
  assert(present < 1 << handlerHeaderNames.length, 'the bytes name a header that is none');
  const headers: Partial<Record<(typeof handlerHeaderNames)[number], string>> = {};
  for (let i = 0; i < handlerHeaderNames.length; i += 1) {
    if ((present & (1 << i)) !== 0) headers[handlerHeaderNames[i]!] = readText(reader);
  }
  return headers;
}

const noParams: Readonly<Record<string, string>> = {};

function readParams(reader: ByteReader): Readonly<Record<string, string>> {
  const count = readByte(reader);
  if (count === 0) return noParams;
  const params: Record<string, string> = {};
  for (let i = 0; i < count; i += 1) {
    const name = readText(reader);
    params[name] = readText(reader);
  }
  return params;
}
