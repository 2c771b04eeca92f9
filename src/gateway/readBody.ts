// Reads the whole body of an HTTP request when a handler asks for it, within bounds of bytes and
// pieces. forgetRest.ts handles bodies that are not read.

import type { IncomingMessage } from 'node:http';
import type { Surface } from '../api/operation.ts';
import type { ReadHeaders } from './incomingRequest.ts';

const clientBytesMax = 16 * 1024;

/** The largest body that is read, in bytes (AUTH-10). */
export const bodyBytesMax: Readonly<Record<Surface, number>> = {
  fapi: clientBytesMax,
  native: clientBytesMax,
  probe: clientBytesMax,
  operator: 1024 * 1024,
};

/** Methods whose body is read; other bodies are discarded. */
const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']);
/** type/subtype, and parameters that are not read (RFC 9110, section 8.3.1). */
const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** The bytes, undefined for none, or why they were refused. */
export type Body = Buffer | undefined | 'bodyTooLarge' | 'requestMalformed';

/** Reads the body of one request. `give` is called once, now or when the body is there. */
export type ReadBody = (bytesMax: number, give: (body: Body) => void) => void;

/** For a body that was read or refused elsewhere. */
export function givenBody(body: Body): ReadBody {
  return (bytesMax, give) => {
    give(body instanceof Buffer && body.length > bytesMax ? 'bodyTooLarge' : body);
  };
}

/** Whether the head says that a body follows. */
export function announcesBody(headers: ReadHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Whether these are too many pieces for so many bytes. A client's network makes pieces of 500 bytes
 * and more; a piece costs as much as some hundred bytes.
 */
export function isTooManyPieces(pieces: number, bytes: number): boolean {
  return pieces > 64 + bytes / 512;
}

function isTyped({ 'content-type': type }: ReadHeaders): boolean {
  return type === undefined || mediaType.test(type);
}

/** Whether a body has come in too many pieces; `onExceeded` is called when it has. */
export type PieceBound = { exceeded: boolean; onExceeded: (() => void) | undefined };

type Reading = {
  readonly request: IncomingMessage;
  readonly bytesMax: number;
  readonly bound: PieceBound;
};

/** What the head alone says of the body; `toRead`: it must be read. */
export function bodyByHead(
  { method = '', headers }: { readonly method?: string | undefined; readonly headers: ReadHeaders },
  bytesMax: number,
): Exclude<Body, Buffer> | 'toRead' {
  const isRead = methodsWithBody.has(method);
  if (isRead && !isTyped(headers)) return 'requestMalformed';
  if (!isRead || !announcesBody(headers)) return undefined;
  return Number(headers['content-length']) > bytesMax ? 'bodyTooLarge' : 'toRead';
}

/** Reads the body within its bounds. Memory: at most twice what was sent. */
export function readBody(reading: Reading, give: (body: Body) => void): void {
  const { request, bytesMax, bound } = reading;
  const known = bodyByHead(request, bytesMax);
  if (known !== 'toRead') give(known);
  else if (bound.exceeded) give('requestMalformed');
  else gather(reading, give);
}

function gather({ request, bytesMax, bound }: Reading, give: (body: Body) => void): void {
  let held: Buffer | undefined;
  let size = 0;
  let pieces = 0;
  const finish = (body: Body): void => {
    request.off('data', onData).off('end', onEnd).off('error', onError);
    bound.onExceeded = undefined;
    // The client may still go away: without a listener that would be an uncaught error.
    request.on('error', () => {});
    give(body);
  };
  const onData = (piece: Buffer): void => {
    const before = size;
    size += piece.length;
    pieces += 1;
    if (size > bytesMax) finish('bodyTooLarge');
    else if (isTooManyPieces(pieces, size)) finish('requestMalformed');
    else held = joined(held, before, piece);
  };
  const onEnd = (): void => finish(held === undefined ? undefined : held.subarray(0, size));
  // The client went away in the middle of its body, or sent it in too many pieces.
  const onError = (): void => finish('requestMalformed');
  bound.onExceeded = onError;
  request.on('data', onData).on('end', onEnd).on('error', onError);
}

/**
 * The bytes so far and the new piece behind them. The first piece is kept as it is. Others are
 * copied into memory that doubles, because each piece may keep a whole read of the platform in
 * memory.
 */
function joined(held: Buffer | undefined, size: number, piece: Buffer): Buffer {
  if (held === undefined) return piece;
  let room = held;
  const needed = size + piece.length;
  if (needed > held.length) {
    room = Buffer.allocUnsafeSlow(Math.max(2 * size, needed));
    held.copy(room, 0, 0, size);
  }
  piece.copy(room, size);
  return room;
}
