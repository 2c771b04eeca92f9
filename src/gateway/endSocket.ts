// Ends a socket that is not served any further.

import type { Duplex } from 'node:stream';
import { freeReceived } from '../std/bytes.ts';

/** How long a peer has to read the last bytes and to close its side too. */
const lingerMs = 2000;
/** Bytes that are read meanwhile: the rest of a refused request. */
const passedOverMax = 64 * 1024;

/** Sends the last text and closes. If the socket were cut at once, the peer could lose the text. */
export function endSocket(socket: Duplex, text: string): void {
  socket.end(text);
  passOver(socket, 0);
}

/**
 * Discards what still comes over a socket whose own side has ended, and then cuts it. Only a socket
 * that is read sees the end of its peer, so some bytes are read. A peer that sends more is not read
 * any further, because reading costs the trading thread. `expected`: bytes that are known to come.
 */
export function passOver(socket: Duplex, expected: number): void {
  if (!stopReadingLarge(socket, expected)) {
    boundRest(socket, expected);
    socket.on('data', freeReceived).resume();
  }
  const linger = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(linger));
}

/** Reads a little more of a socket that is about to end, and then nothing. */
export function boundRest(socket: Duplex, expected = 0): void {
  let bytes = expected;
  socket.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > passedOverMax) stopReading(socket);
  });
}

/** Stops reading a peer that is going to send more than is discarded; gives whether it did. */
export function stopReadingLarge(socket: Duplex, expected: number): boolean {
  if (expected <= passedOverMax) return false;
  stopReading(socket);
  return true;
}

/** Permanently. A paused stream would read on until its buffer is full. */
function stopReading(socket: Duplex): void {
  const { _handle: handle } = socket as { readonly _handle?: { readStop?: () => void } | null };
  socket.pause();
  handle?.readStop?.();
  socket.resume = () => socket;
}
