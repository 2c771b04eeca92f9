// Bodies that are not read, because the request was refused by its head or the body passed a bound.
// A small body of known length is discarded, and the connection goes on. After any other the
// connection ends soon after the answer, and nothing that still comes is parsed.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { passOver, stopReadingLarge } from './endSocket.ts';
import { announcesBody, isTooManyPieces, type PieceBound } from './readBody.ts';

/** The largest body of known length that is discarded, in bytes. */
const passedOverMax = 16 * 1024;

/** Connections that end because of a body that is not read. */
const ending = new WeakSet<Socket>();
const inTooManyPieces = new WeakSet<IncomingMessage>();

/** Whether the connection must end because of the rest that its peer still sends. */
export function leavesRest(request: IncomingMessage): boolean {
  const { headers, complete } = request;
  // Such a body may be complete before the answer is there.
  if (inTooManyPieces.has(request)) return true;
  if (complete !== false || !announcesBody(headers)) return false;
  if (headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length']) > passedOverMax;
}

/** Whether everything that still comes over this connection belongs to a body that is not read. */
export function isForgotten(socket: Socket): boolean {
  return ending.has(socket);
}

/**
 * Must be called before the answer is written; the connection ends after the answer. Until the peer
 * has had time to read the answer, what still comes is discarded: if a socket is closed with unread
 * bytes, its peer can lose what was sent last.
 */
export function forgetRest(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  const expected = Number(request.headers['content-length'] ?? 0);
  response.shouldKeepAlive = false;
  ending.add(socket);
  stopPieces(request);
  stopReadingLarge(socket, expected);
  request.on('error', () => {});
  const destroySoon = socket.destroySoon.bind(socket);
  // The platform calls this when the system has taken the answer.
  socket.destroySoon = () => {
    if (request.complete) return destroySoon();
    socket.end();
    passOver(socket, expected);
  };
}

/**
 * Counts all pieces of a chunked body, read or not. Beyond the bound no more pieces are made, and
 * the body never ends.
 */
export function boundPieces(request: IncomingMessage): PieceBound {
  const bound: PieceBound = { exceeded: false, onExceeded: undefined };
  if (request.headers['transfer-encoding'] === undefined) return bound;
  const push = request.push.bind(request);
  let pieces = 0;
  let bytes = 0;
  request.push = (piece: Buffer | null, encoding) => {
    if (bound.exceeded) return true;
    if (piece === null) return push(null);
    pieces += 1;
    bytes += piece.length;
    if (!isTooManyPieces(pieces, bytes)) return push(piece, encoding);
    bound.exceeded = true;
    ending.add(request.socket);
    inTooManyPieces.add(request);
    stopPieces(request);
    bound.onExceeded?.();
    return true;
  };
  return bound;
}

/** What the platform keeps of a connection's parser; it has no public name. */
type Parser = Record<number, unknown>;

/**
 * Where the parser keeps the function that takes the pieces of a body, and that function's name.
 */
const takerSlot = 3;
const takerName = 'parserOnBody';

/**
 * The platform makes an object of every chunk that it reads, at 1.5 µs each, and one write may hold
 * ten thousand chunks of one byte. From now on it makes none for this connection, which must end.
 * Then the parser is restored, because the platform uses it again. The connection must not become a
 * WebSocket before that, because an upgrade sets the parser free.
 */
function stopPieces({ socket }: IncomingMessage): void {
  const { parser } = socket as Socket & { readonly parser?: Parser | null };
  const taker = parser?.[takerSlot];
  if (!parser || typeof taker !== 'function' || taker.name !== takerName) return;
  parser[takerSlot] = null;
  socket.once('close', () => {
    parser[takerSlot] = taker;
  });
}
