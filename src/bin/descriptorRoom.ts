// How many connections the limit of file descriptors allows (CON-2). The files that trading itself
// opens (log, snapshots, archive, history, sources) have a reserve that clients cannot use.

import { readdirSync, readFileSync } from 'node:fs';
import { defaultConnectionBounds } from '../gateway/connectionBounds.ts';
import { socketsMax } from '../gateway/rateLimits.ts';

export type DescriptorRoom = {
  /** Connections of clients, with those that became sockets. */
  readonly connections: number;
  readonly sockets: number;
};

export type Descriptors = {
  /** The limit of the process; undefined when the platform does not show it. */
  readonly limit: number | undefined;
  /** Open at present. */
  readonly used: number;
};

/** Descriptors for files that are opened later, and for the operator. */
const reserve = 160;
/** What one gateway worker needs, besides its connections. */
const perWorker = 24;
/** With fewer connections a start makes no sense. */
const connectionsMin = 16;

/** The operator's connections (CON-1) are inside the reserve: the operator uses few programs. */
export const operatorBounds = { all: 32, perAddress: 32 };

/** The limit and the number of open descriptors, as Linux shows them. */
export function readDescriptors(): Descriptors {
  if (process.platform !== 'linux') return { limit: undefined, used: 0 };
  const [, soft] = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  const limit = soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
  return { limit, used: readdirSync('/proc/self/fd').length };
}

/** Throws when there is no room to serve clients. `workers`: threads that serve clients. */
export function descriptorRoom({ limit, used }: Descriptors, workers: number): DescriptorRoom {
  const { all } = defaultConnectionBounds;
  if (limit === undefined) return { connections: all, sockets: socketsMax };
  const left = limit - used - reserve - workers * perWorker;
  if (left < connectionsMin) {
    throw new Error(
      `The limit of open files is ${limit}, and ${limit - left + connectionsMin} are needed to ` +
        'serve clients: raise it (ulimit -n, LimitNOFILE of systemd).',
    );
  }
  if (workers === 0) return { connections: Math.min(all, left), sockets: socketsMax };
  // A socket that a worker hands on has two more descriptors, inside the process.
  const sockets = Math.min(socketsMax, Math.floor(left / 4));
  return { connections: Math.min(all, left - 2 * sockets), sockets };
}

/** What an operator should know about it; undefined when everything is as usual. */
export function descriptorWarning(
  { limit }: Descriptors,
  { connections }: DescriptorRoom,
): string | undefined {
  if (limit === undefined) {
    return (
      'the limit of open files is not known on this platform: it should be above ' +
      `${defaultConnectionBounds.all + reserve}, or clients can use it up`
    );
  }
  if (connections >= defaultConnectionBounds.all) return undefined;
  return (
    `the limit of open files is ${limit}: clients may open ${connections} connections and not ` +
    `${defaultConnectionBounds.all}; raise it (ulimit -n, LimitNOFILE of systemd) for more`
  );
}
