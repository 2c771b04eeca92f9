// The connections of a listener by their clients, and the figures of those that are refused or give
// way (CON-1). clientCrowd.ts decides; paceConnections.ts calls this.

import type { Socket } from 'node:net';
import { type ClientCrowd, type CrowdClient, createClientCrowd } from './clientCrowd.ts';
import { limitKeyOf } from './identity/limitKey.ts';
import { parseNetworkAddress } from './identity/networkAddress.ts';

/** Why a connection is closed before it is read. */
export type ConnectionRefusal = 'address' | 'site' | 'all';

/** Since the start: connections that were refused, and idle ones that were closed for others. */
export type ConnectionFigures = {
  readonly refused: Record<ConnectionRefusal, number>;
  evicted: number;
};

export function createConnectionFigures(): ConnectionFigures {
  return { refused: { address: 0, site: 0, all: 0 }, evicted: 0 };
}

/** Adds the figures of one more listener. */
export function addConnectionFigures(to: ConnectionFigures, of: ConnectionFigures): void {
  to.evicted += of.evicted;
  to.refused.address += of.refused.address;
  to.refused.site += of.refused.site;
  to.refused.all += of.refused.all;
}

export type ConnectionClient = CrowdClient<Socket>;

export type ConnectionClients = Omit<ClientCrowd<Socket>, 'whyFull' | 'add' | 'next'> & {
  readonly figures: ConnectionFigures;
  /** Counts a new, idle connection for its client; undefined: it is refused. */
  readonly take: (socket: Socket) => ConnectionClient | undefined;
};

export type ConnectionClientsOptions = {
  readonly perAddress: number;
  /** Peers that carry requests of many clients. They have no bound and are closed last. */
  readonly trustedProxies: ReadonlySet<string>;
};

export function createConnectionClients(options: ConnectionClientsOptions): ConnectionClients {
  const { perAddress, trustedProxies } = options;
  const crowd = createClientCrowd<Socket>({ perAddress });
  const figures = createConnectionFigures();
  return {
    ...crowd,
    figures,
    take: (socket) => {
      const peer = socket.remoteAddress ?? '';
      const proxy = parseNetworkAddress(peer) ?? peer;
      const isProxy = trustedProxies.has(proxy);
      const key = isProxy ? proxy : limitKeyOf(peer);
      const full = isProxy ? undefined : crowd.whyFull(key);
      if (full === undefined) return crowd.add({ key, isProxy }, socket);
      figures.refused[full] += 1;
      return undefined;
    },
  };
}
