// What becomes of a body that is not read, because its request was refused by its head or the body
// passed a bound: a small one of known length is passed over and the connection goes on; of any
// other the rest is forgotten where it comes, and the connection ends soon after the answer.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { announcesBody, isTooManyPieces } from './readBody.ts';

/** The largest body of known length that is passed over, in bytes. */
const passedOverMax = 16 * 1024;
/** How long a peer may go on sending before its socket is cut: else it may lose the answer. */
const lingerMs = 2000;

/** Whether the connection must end because of what its peer has still to send. */
export function leavesRest(request: IncomingMessage): boolean {
  const { headers, complete } = request;
  if (complete !== false || !announcesBody(headers)) return false;
  if (headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length']) > passedOverMax;
}

/** Ends the connection when the rest has come, or after a while. The answer has been written. */
export function forgetRest(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  stopPieces(request);
  const end = (): void => {
    // A body that was cut has ended here, and not at its peer.
    if (request.complete) response.end();
  };
  const linger = setTimeout(() => socket.destroy(), lingerMs).unref();
  request.on('error', () => {}).once('end', end);
  response.once('close', () => clearTimeout(linger));
  request.resume();
}

/**
 * Counts the pieces of a chunked body from its first one, whether it is read or not; beyond the
 * bound no more are made, and the body ends there. `onExcess` hears of that, once.
 */
export function boundPieces(request: IncomingMessage, onExcess: () => void): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  let pieces = 0;
  let bytes = 0;
  const push = request.push.bind(request);
  let ended = false;
  request.push = (piece: Buffer | null, encoding) => {
    if (ended) return true;
    if (piece === null) return push(null);
    pieces += 1;
    bytes += piece.length;
    if (!isTooManyPieces(pieces, bytes)) return push(piece, encoding);
    ended = true;
    stopPieces(request);
    onExcess();
    return push(null);
  };
}

/** What the platform keeps of a connection's parser; it has no public name. */
type Parser = Record<number, unknown>;

/** Where the parser keeps what takes the pieces of a body, and that function's name. */
const takerSlot = 3;
const takerName = 'parserOnBody';

/**
 * The platform makes an object of every chunk that it reads, at 1.5 µs each, and one write may hold
 * ten thousand chunks of one byte. From now on it makes none of this connection's, which must end;
 * its parser is put right then, because the platform uses it again.
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
