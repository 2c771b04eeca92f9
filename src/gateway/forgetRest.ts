// What becomes of a body that is not read, because its request was refused by its head or the body
// passed a bound: a small one of known length is passed over and the connection goes on. After any
// other the connection ends soon after the answer, and nothing that still comes is parsed.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { passOver, stopReadingLarge } from './endSocket.ts';
import { announcesBody, isTooManyPieces, type PieceBound } from './readBody.ts';

/** The largest body of known length that is passed over, in bytes. */
const passedOverMax = 16 * 1024;

/** Whether the connection must end because of what its peer has still to send. */
export function leavesRest(request: IncomingMessage): boolean {
  const { headers, complete } = request;
  if (complete !== false || !announcesBody(headers)) return false;
  if (headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length']) > passedOverMax;
}

/** Connections that end because of a body that is not read. */
const ending = new WeakSet<Socket>();

/** Whether what comes of this connection, whatever it looks like, is of a body that is not read. */
export function isForgotten(socket: Socket): boolean {
  return ending.has(socket);
}

/**
 * To be called before the answer is written: the connection ends after it. What still comes is
 * passed over, for as long as a peer may need to read the answer: a socket that is closed with
 * bytes unread costs its peer what was sent last.
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
  // What the platform calls when the answer has been handed to the system.
  socket.destroySoon = () => {
    if (request.complete) return destroySoon();
    socket.end();
    passOver(socket, expected);
  };
}

/**
 * Counts the pieces of a chunked body from its first one, whether it is read or not; beyond the
 * bound no more are made, and the body never ends.
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
    stopPieces(request);
    bound.onExceeded?.();
    return true;
  };
  return bound;
}

/** What the platform keeps of a connection's parser; it has no public name. */
type Parser = Record<number, unknown>;

/** Where the parser keeps what takes the pieces of a body, and that function's name. */
const takerSlot = 3;
const takerName = 'parserOnBody';

/**
 * The platform makes an object of every chunk that it reads, at 1.5 µs each, and one write may hold
 * ten thousand chunks of one byte. From now on it makes none of this connection's, which must end;
 * its parser is put right then, because the platform uses it again. So the connection must not
 * become a socket of messages before: that sets the parser free.
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
