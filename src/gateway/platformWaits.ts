// Whether the platform's HTTP server reads a connection now. It has no public name for that.

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Whether the platform has paused the connection until answers have left. */
export function isPausedByPlatform(socket: Socket): boolean {
  return (socket as { readonly _paused?: boolean })._paused === true;
}

/** Whether the platform itself does not read: an answer or a body waits. */
export function platformWaits(socket: Socket): boolean {
  if (isPausedByPlatform(socket)) return true;
  const { parser } = socket as Socket & {
    readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
  };
  const body = parser?.incoming;
  return body != null && !body.complete && body.readableLength >= body.readableHighWaterMark;
}
