// The connections of a listener by their clients: how many each client may have open, and which
// idle connection is closed when all places are taken (CON-1). paceConnections.ts calls this.

import type { Socket } from 'node:net';
import { createHeap, type Heap, heapPeek, heapPush, heapRemove } from '../std/heap.ts';
import { createClientTally } from './clientTally.ts';
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

export type ConnectionClient = {
  /** Its limit key, or the address of a trusted proxy. */
  readonly key: string;
  readonly isProxy: boolean;
  readonly open: Set<Socket>;
  /** Connections without an open request, the longest idle first. */
  readonly idle: Set<Socket>;
  /** The step since which it has idle connections. */
  idleSince: number;
  /** Its place in the heap of clients with idle connections; −1: it is not there. */
  slot: number;
};

export type ConnectionClients = {
  readonly figures: ConnectionFigures;
  /** Counts a new, idle connection for its client; undefined: it is refused. */
  readonly take: (socket: Socket) => ConnectionClient | undefined;
  readonly noteIdle: (client: ConnectionClient, socket: Socket) => void;
  readonly noteBusy: (client: ConnectionClient, socket: Socket) => void;
  /** Removes a connection. It may be removed already. */
  readonly drop: (client: ConnectionClient, socket: Socket) => void;
  /**
   * Removes and gives the connection that must be closed next; undefined when none is idle. Cost:
   * logarithmic in the clients.
   */
  readonly giveWay: () => Socket | undefined;
};

export type ConnectionClientsOptions = {
  readonly perAddress: number;
  /** Peers that carry requests of many clients. They have no bound and are closed last. */
  readonly trustedProxies: ReadonlySet<string>;
};

type Clients = {
  readonly byKey: Map<string, ConnectionClient>;
  /** Clients with idle connections. */
  readonly idle: Heap<ConnectionClient>;
  steps: number;
};

export function createConnectionClients(options: ConnectionClientsOptions): ConnectionClients {
  const { perAddress, trustedProxies } = options;
  const tally = createClientTally({ perAddress });
  const figures = createConnectionFigures();
  const idle = createHeap(givesWayBefore, (client, slot) => {
    client.slot = slot;
  });
  const clients: Clients = { byKey: new Map(), idle, steps: 0 };
  const drop: ConnectionClients['drop'] = (client, socket) => {
    if (!client.open.delete(socket)) return;
    client.idle.delete(socket);
    place(clients, client);
    if (!client.isProxy) tally.remove(client.key);
    if (client.open.size === 0) clients.byKey.delete(client.key);
  };
  return {
    figures,
    drop,
    take: (socket) => {
      const peer = socket.remoteAddress ?? '';
      const proxy = parseNetworkAddress(peer) ?? peer;
      const isProxy = trustedProxies.has(proxy);
      const key = isProxy ? proxy : limitKeyOf(peer);
      const full = isProxy ? undefined : tally.whyFull(key);
      if (full !== undefined) {
        figures.refused[full] += 1;
        return undefined;
      }
      if (!isProxy) tally.add(key);
      const client = clientOf(clients, key, isProxy);
      client.open.add(socket);
      client.idle.add(socket);
      place(clients, client);
      return client;
    },
    noteIdle: (client, socket) => {
      if (!client.open.has(socket)) return;
      client.idle.add(socket);
      if (client.slot < 0) place(clients, client);
    },
    noteBusy: (client, socket) => {
      client.idle.delete(socket);
      if (client.idle.size === 0) place(clients, client);
    },
    giveWay: () => {
      const client = heapPeek(idle);
      if (client === undefined) return undefined;
      const [longest] = client.idle;
      if (longest !== undefined) drop(client, longest);
      return longest;
    },
  };
}

/** Proxies last; clients with more connections first; then those with the longest idle ones. */
function givesWayBefore(a: ConnectionClient, b: ConnectionClient): boolean {
  if (a.isProxy !== b.isProxy) return b.isProxy;
  if (a.open.size !== b.open.size) return a.open.size > b.open.size;
  return a.idleSince < b.idleSince;
}

function clientOf({ byKey }: Clients, key: string, isProxy: boolean): ConnectionClient {
  const found = byKey.get(key);
  if (found !== undefined) return found;
  const client = { key, isProxy, open: new Set<Socket>(), idle: new Set<Socket>() };
  const made: ConnectionClient = { ...client, idleSince: 0, slot: -1 };
  byKey.set(key, made);
  return made;
}

/** Puts a client where it belongs after its connections have changed. */
function place(clients: Clients, client: ConnectionClient): void {
  const { idle } = clients;
  const wasIdle = client.slot >= 0;
  if (wasIdle) heapRemove(idle, client.slot);
  if (client.idle.size === 0) return;
  if (!wasIdle) {
    clients.steps += 1;
    client.idleSince = clients.steps;
  }
  heapPush(idle, client);
}
