// A request as bytes, from the worker that read it to the serving thread. One message has many
// requests. Nothing is interpreted here.

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

/** `handler`: the number of its handler. */
export type ForwardedRequest = {
  readonly id: number;
  readonly handler: number;
  readonly incoming: Omit<IncomingRequest, 'readBody'>;
  readonly body: Body;
};

/** The same in the serving thread: its body is already read. */
export type ReceivedRequest = Pick<ForwardedRequest, 'id' | 'handler'> & {
  readonly incoming: IncomingRequest;
};

/** What the reading thread adds: its lag (`stopwatchLagMs`), and the callback for secrets. */
export type RequestReading = { readonly lagMs: number; readonly learn: IncomingRequest['learn'] };

const loginPath = '/api/v1/auth/login';

const verdicts: readonly SignatureVerdict[] = ['unknown', 'valid', 'invalid'];

/** `lagMs`: the lag of this thread's stopwatch (`stopwatchLagMs`). */
export function writeRequest(writer: ByteWriter, request: ForwardedRequest, lagMs: number): void {
  const { id, handler, incoming, body } = request;
  writeUint32(writer, id);
  writeUint16(writer, handler);
  writeNumber(writer, incoming.startedAt + lagMs);
  writeByte(writer, verdicts.indexOf(incoming.verdict));
  writeText(writer, incoming.method);
  writeText(writer, incoming.target);
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

/** Its body is a view into the reader's bytes. */
export function readRequest(reader: ByteReader, { lagMs, learn }: RequestReading): ReceivedRequest {
  const id = readUint32(reader);
  const handler = readUint16(reader);
  const startedAt = readNumber(reader) - lagMs;
  const verdict = must(verdicts[readByte(reader)], 'a verdict of the bytes is none');
  const method = readText(reader);
  const target = readText(reader);
  const peer = readText(reader);
  const headers = readHeaders(reader);
  const params = readParams(reader);
  const body = readBody(reader);
  return {
    id,
    handler,
    incoming: {
      method,
      target,
      peer,
      headers,
      readBody: givenBody(body),
      params,
      startedAt,
      verdict,
      learn,
    },
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
  if (kind === 'bytes') return readBytes(reader);
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
