// The pace of each connection: how many bytes of it are read and how many of its requests are
// served in one turn of the event loop, and when it must read its answers first. The rest waits,
// and meanwhile the connection is not read: pipelining works, only more slowly. All connections
// share the requests of a turn, and their clients take turns (CON-8).

import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { stopwatchMs } from '../std/clock.ts';
import { isForgotten } from './forgetRest.ts';
import {
  endConnection,
  type Handle,
  type Pace,
  type PacedConnection,
  type PaceOptions,
} from './pacedConnection.ts';
import { closeIdle, readInTurn, schedule, settle, slowDown, take } from './readInTurn.ts';
import { receive } from './receivedBytes.ts';
import { addressRefusals, createRefusalPace } from './refusalPace.ts';
import { cutSlowReaders, unreadBytes } from './slowReaders.ts';
import { createPacedSteps } from './sockets/pacedSteps.ts';

/** Checks for slow readers in the time that a connection has to read one answer. */
const looksPerAnswer = 24;

export type PacedServer = {
  /**
   * The server must call it for each request; it calls `handle` when the request's turn has come. A
   * request without a connection of this server is handled at once.
   */
  readonly take: Handle;
  /** Closes the connections of the fast lane when they are idle, now and from now on. */
  readonly close: () => void;
};

export function paceConnections(server: Server, options: PaceOptions): PacedServer {
  const { bounds } = options;
  const pace: Pace = {
    ...options,
    refusals: createRefusalPace(),
    connections: new WeakMap(),
    busy: new Set(),
    leaving: new Set(),
    lane: new Set(),
    closing: false,
    count: 0,
    inTurn: createPacedSteps(bounds.requestsPerTurnAll, stopwatchMs, options.gate),
    served: 0,
    servedMax: 0,
    turn: 0,
    turning: false,
  };
  server.timeout = bounds.stalledMs;
  server.on('connection', (socket: Socket) => openConnection(pace, socket));
  server.on('drop', () => {
    options.clients.figures.refused.all += 1;
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => handOn(pace, socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const code = error.code ?? '';
    // Its parser has seen no byte: for the platform, the first head is late.
    if (code === lateCode && pace.connections.get(socket)?.reader === 'lane') return;
    endConnection(pace, socket);
    options.refuse(code, socket);
  });
  server.on('timeout', (socket: Socket) => endStalled(pace, socket));
  let looking: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    const everyMs = bounds.readWithinMs / looksPerAnswer;
    looking = setInterval(() => cutSlowReaders(pace.busy, bounds, stopwatchMs()), everyMs).unref();
  });
  server.on('close', () => clearInterval(looking));
  return {
    take: (request, response) => take(pace, request, response),
    close: () => {
      pace.closing = true;
      for (const connection of pace.lane) closeIdle(connection);
    },
  };
}

/** The platform's error for a head or a body that is late. */
const lateCode = 'ERR_HTTP_REQUEST_TIMEOUT';

/** The listeners of upgrades that `paceConnections` itself adds. */
export const paceUpgradeListeners = 1;

function openConnection(pace: Pace, socket: Socket): void {
  const { bounds } = pace;
  // The platform's listener was added before this one.
  const [parse] = socket.listeners('data');
  if (parse === undefined || socket.destroyed) return;
  const client = pace.clients.take(socket);
  if (client === undefined) {
    socket.destroy();
    return;
  }
  const connection: PacedConnection = {
    socket,
    client,
    parse: parse.bind(socket) as PacedConnection['parse'],
    detach: () => socket.off('data', onData).off('resume', onResume),
    waiting: [],
    open: [],
    reader: 'fresh',
    inLane: undefined,
    rest: undefined,
    received: undefined,
    turn: 0,
    served: 0,
    held: false,
    slowed: false,
    scheduled: false,
    queued: false,
    ended: false,
    refused: false,
    oldest: undefined,
    oldestSince: 0,
  };
  const onData = (bytes: Buffer): void => {
    if (connection.ended || isForgotten(socket)) return;
    receive(connection, bytes, bounds.bytesPerTurn);
    if (!connection.held) readInTurn(pace, connection);
  };
  const onResume = (): void => {
    // The platform reads on, for a body or because answers have left: wait for our turn.
    if (connection.ended || !connection.held || isForgotten(socket)) return;
    socket.pause();
    schedule(pace, connection);
  };
  pace.connections.set(socket, connection);
  socket.off('data', parse as PacedConnection['parse']);
  socket.on('data', onData).on('resume', onResume);
  admit(pace, connection);
  const wait = pace.refusals.waitOf(client.key, stopwatchMs());
  if (wait > 0) {
    slowDown(pace, connection, wait);
    settle(pace, connection);
  }
  socket.once('close', () => dropConnection(pace, connection));
}

function dropConnection(pace: Pace, connection: PacedConnection): void {
  const { socket, client } = connection;
  if (addressRefusals.has(socket)) pace.refusals.note(client.key, stopwatchMs());
  pace.count -= 1;
  pace.busy.delete(connection);
  pace.leaving.delete(socket);
  pace.lane.delete(connection);
  connection.inLane?.onLeft();
  pace.clients.drop(client, socket);
}

/** Without room for another, one that leaves is closed, else an idle one, else the new one. */
function admit(pace: Pace, { socket }: PacedConnection): void {
  const { bounds, clients } = pace;
  pace.count += 1;
  if (pace.count < bounds.all) return;
  const [left] = pace.leaving;
  const gone = left ?? clients.giveWay();
  if (left !== undefined) pace.leaving.delete(left);
  if (gone === socket) clients.figures.refused.all += 1;
  else if (gone !== undefined) clients.figures.evicted += 1;
  gone?.destroy();
}

/** The socket becomes a WebSocket: bytes that are not parsed go to its new reader. */
function handOn(pace: Pace, socket: Socket): void {
  const connection = pace.connections.get(socket);
  socket.setTimeout(0);
  if (connection === undefined) return;
  connection.ended = true;
  pace.clients.noteBusy(connection.client, socket);
  connection.detach();
  if (connection.rest !== undefined) socket.unshift(connection.rest);
  connection.rest = undefined;
  connection.received = undefined;
}

/** No byte has moved for `stalledMs`: the peer does not read, or does not send. */
function endStalled({ connections, bounds }: Pace, socket: Socket): void {
  const connection = connections.get(socket);
  // The peer waits for us: its requests are still being answered.
  if (connection !== undefined && connection.open.length > 0 && unreadBytes(connection) === 0) {
    socket.setTimeout(bounds.stalledMs);
  } else socket.destroy();
}
