// What one client's connections may hold of a listener, and how many connections an address may
// have open. How the requests of one connection take turns stands in paceConnections.ts.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { limitKeyOf } from './identity/limitKey.ts';
import { parseNetworkAddress } from './identity/networkAddress.ts';

export type ConnectionBounds = {
  /** Connections that are open at once: of all clients, and of one address (CON-1). */
  readonly all: number;
  readonly perAddress: number;
  /** What is read of one connection in one turn of the event loop, and how much of it is served. */
  readonly bytesPerTurn: number;
  readonly requestsPerTurn: number;
  /** Requests of one connection that are answered at the same time. */
  readonly openRequests: number;
  /** Bytes of answers that a connection has not read when no further request of it is served. */
  readonly unreadBytes: number;
  /** The same of all connections together; beyond it those with the most are cut. */
  readonly unreadBytesAll: number;
  /** How long a connection may move no byte while it has an answer to read. */
  readonly stalledMs: number;
  /** How long it may take to read one answer, however slowly it reads. */
  readonly readWithinMs: number;
};

const megabyte = 1024 * 1024;

export const defaultConnectionBounds: ConnectionBounds = {
  all: 20_000,
  perAddress: 1000,
  bytesPerTurn: 4096,
  requestsPerTurn: 16,
  openRequests: 64,
  unreadBytes: megabyte / 4,
  unreadBytesAll: 64 * megabyte,
  stalledMs: 30_000,
  readWithinMs: 120_000,
};

export type BoundAddresses = {
  readonly perAddress: number;
  /** Peers that carry the requests of many clients: they have no bound of their own. */
  readonly trustedProxies: ReadonlySet<string>;
};

/** Cuts connections of an address beyond its bound, before anything of them is read. */
export function boundAddresses(
  server: Server,
  { perAddress, trustedProxies }: BoundAddresses,
): void {
  const counts = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    if (trustedProxies.has(parseNetworkAddress(peer) ?? peer)) return;
    const key = limitKeyOf(peer);
    const count = counts.get(key) ?? 0;
    if (count >= perAddress) {
      socket.destroy();
      return;
    }
    counts.set(key, count + 1);
    socket.once('close', () => {
      const left = counts.get(key)! - 1;
      if (left === 0) counts.delete(key);
      else counts.set(key, left);
    });
  });
}
