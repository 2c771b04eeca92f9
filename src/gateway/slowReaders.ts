// Clients that do not read their answers, or read them too slowly (CON-1): what they hold, and
// which of them is cut.

import type { Socket } from 'node:net';
import type { ConnectionBounds } from './connectionBounds.ts';
import type { OpenAnswer } from './httpExchange.ts';

/** A connection as a reader of its answers. */
export type ReadAnswers = {
  readonly socket: Socket;
  /** Answers that have not left whole, oldest first. */
  readonly open: readonly OpenAnswer[];
  /** The answer that was the oldest at the last look, and when it first was. */
  oldest: OpenAnswer | undefined;
  oldestSince: number;
};

/** Bytes of answers that this process still holds. */
export function unreadBytes({ socket, open }: Pick<ReadAnswers, 'socket' | 'open'>): number {
  let bytes = socket.writableLength;
  // The first writes through the socket; the others wait for it.
  for (let i = 1; i < open.length; i += 1) bytes += open[i]!.writableLength;
  return bytes;
}

/** Cuts connections that read an answer for too long, and the largest when all hold too much. */
export function cutSlowReaders(
  busy: Iterable<ReadAnswers>,
  bounds: ConnectionBounds,
  now: number,
): void {
  let held = 0;
  const slow: { readonly connection: ReadAnswers; readonly bytes: number }[] = [];
  for (const connection of busy) {
    const bytes = unreadBytes(connection);
    const oldest = bytes === 0 ? undefined : connection.open[0];
    if (connection.oldest !== oldest) connection.oldestSince = now;
    connection.oldest = oldest;
    if (oldest !== undefined && now - connection.oldestSince >= bounds.readWithinMs) {
      connection.socket.destroy();
    } else if (bytes > 0) {
      held += bytes;
      slow.push({ connection, bytes });
    }
  }
  if (held <= bounds.unreadBytesAll) return;
  slow.sort((a, b) => b.bytes - a.bytes);
  for (const { connection, bytes } of slow) {
    if (held <= bounds.unreadBytesAll / 2) return;
    held -= bytes;
    connection.socket.destroy();
  }
}
