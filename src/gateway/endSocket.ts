// The end of a socket that nobody serves any further.

import type { Duplex } from 'node:stream';

/** How long a peer has to close its side too. */
const lingerMs = 2000;

/**
 * Sends the last text and closes. What still comes is read and forgotten: a socket that nobody
 * reads never sees its peer's end and would be kept for ever, and so would one whose peer keeps its
 * side open. Cutting it at once could cost the peer the text.
 */
export function endSocket(socket: Duplex, text: string): void {
  socket.end(text);
  socket.resume();
  const linger = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(linger));
}
