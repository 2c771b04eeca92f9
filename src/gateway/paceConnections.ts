// The pace of each connection: how many bytes of it are read and how many of its requests are
// served in one turn of the event loop, and when it must read its answers first. The rest waits,
// and meanwhile the connection is not read: pipelining works, only more slowly. All connections
// share the requests of a turn, and their clients take turns (CON-8).

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { stopwatchMs } from '../std/clock.ts';
import type { ConnectionBounds } from './connectionBounds.ts';
import type { ConnectionClient, ConnectionClients } from './connectionClients.ts';
import { isForgotten } from './forgetRest.ts';
import { isPausedByPlatform, platformWaits } from './platformWaits.ts';
import { dropRest, type ReceivedBytes, receive, takePiece } from './receivedBytes.ts';
import {
  accountRefusals,
  addressRefusals,
  createRefusalPace,
  type RefusalPace,
  slotMs,
} from './refusalPace.ts';
import { cutSlowReaders, type ReadAnswers, unreadBytes } from './slowReaders.ts';
import { createPacedSteps, type PacedSteps } from './sockets/pacedSteps.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

type Connection = ReadAnswers &
  ReceivedBytes & {
    readonly socket: Socket;
    readonly client: ConnectionClient;
    /** The platform's parser of requests. */
    readonly parse: (bytes: Buffer) => void;
    /** Removes the listeners of the socket. */
    readonly detach: () => void;
    /** Requests that wait for their turn, oldest first. */
    readonly waiting: [IncomingMessage, ServerResponse][];
    /** Answers that have not left completely, oldest first. */
    readonly open: ServerResponse[];
    /** The last turn in which requests of it were served, and how many. */
    turn: number;
    served: number;
    /** The socket is not read, because something waits here. */
    held: boolean;
    /** It was refused because of a limit, and waits for its next slot. */
    slowed: boolean;
    scheduled: boolean;
    /** Received bytes wait for the turn of its client. */
    queued: boolean;
    /** Nothing more of it is parsed: it has become a WebSocket, or is `refused`. */
    ended: boolean;
    /** It sent nonsense or a body that is not read, and closes after its answers. */
    refused: boolean;
    /** The oldest answer at the last check, and since when it is the oldest. */
    oldest: ServerResponse | undefined;
    oldestSince: number;
  };

export type PaceOptions = {
  readonly handle: Handle;
  readonly bounds: ConnectionBounds;
  readonly clients: ConnectionClients;
};

type Pace = PaceOptions & {
  readonly refusals: RefusalPace;
  readonly connections: WeakMap<Socket, Connection>;
  /** Connections with answers that have not left completely. */
  readonly busy: Set<Connection>;
  /** Refused connections whose answers have left: only their close is awaited (CON-1). */
  readonly leaving: Set<Socket>;
  /** Connections, including those that became WebSockets. */
  count: number;
  readonly inTurn: PacedSteps;
  /** Requests served since the start. */
  served: number;
  turn: number;
  turning: boolean;
};

/** Checks for slow readers in the time that a connection has to read one answer. */
const looksPerAnswer = 24;

/**
 * Gives the function that the server must call for each request; it calls `handle` when the
 * request's turn has come. A request without a connection of this server is handled at once.
 */
export function paceConnections(server: Server, options: PaceOptions): Handle {
  const { bounds } = options;
  const pace: Pace = {
    ...options,
    refusals: createRefusalPace(),
    connections: new WeakMap(),
    busy: new Set(),
    leaving: new Set(),
    count: 0,
    inTurn: createPacedSteps(bounds.requestsPerTurnAll),
    served: 0,
    turn: 0,
    turning: false,
  };
  server.timeout = bounds.stalledMs;
  server.on('connection', (socket: Socket) => openConnection(pace, socket));
  server.on('drop', () => {
    options.clients.figures.refused.all += 1;
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => handOn(pace, socket));
  server.on('clientError', (_error: Error, socket: Socket) => endConnection(pace, socket));
  server.on('timeout', (socket: Socket) => endStalled(pace, socket));
  let looking: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    const everyMs = bounds.readWithinMs / looksPerAnswer;
    looking = setInterval(() => cutSlowReaders(pace.busy, bounds, stopwatchMs()), everyMs).unref();
  });
  server.on('close', () => clearInterval(looking));
  return (request, response) => take(pace, request, response);
}

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
  const connection: Connection = {
    socket,
    client,
    parse: parse.bind(socket) as Connection['parse'],
    detach: () => socket.off('data', onData).off('resume', onResume),
    waiting: [],
    open: [],
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
  socket.off('data', parse as Connection['parse']);
  socket.on('data', onData).on('resume', onResume);
  admit(pace, connection);
  const wait = pace.refusals.waitOf(client.key, stopwatchMs());
  if (wait > 0) {
    slowDown(pace, connection, wait);
    settle(pace, connection);
  }
  socket.once('close', () => {
    if (addressRefusals.has(socket)) pace.refusals.note(client.key, stopwatchMs());
    pace.count -= 1;
    pace.busy.delete(connection);
    pace.leaving.delete(socket);
    pace.clients.drop(client, socket);
  });
}

/** Without room for another, one that leaves is closed, else an idle one, else the new one. */
function admit(pace: Pace, { socket }: Connection): void {
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

/** What has come is parsed when it is the client's turn. */
function readInTurn(pace: Pace, connection: Connection): void {
  if (connection.queued) {
    // One read of it may wait, and no more.
    connection.held = true;
    connection.socket.pause();
    return;
  }
  connection.queued = true;
  inTurn(pace, connection, () => {
    connection.queued = false;
    if (connection.held || connection.ended) goOn(pace, connection);
    else if (!connection.socket.destroyed) readPiece(pace, connection);
  });
}

/** Does the work of a connection when it is its client's turn. It takes at least one share. */
function inTurn(pace: Pace, { client, socket }: Connection, work: () => void): void {
  pace.inTurn(client.key, () => {
    if (socket.destroyed) return false;
    const before = pace.served;
    work();
    return Math.max(1, pace.served - before);
  });
}

/** Parses the next piece; its requests come to `take`. */
function readPiece(pace: Pace, connection: Connection): void {
  const piece = takePiece(connection, pace.bounds.bytesPerTurn);
  if (piece !== undefined) connection.parse(piece);
  settle(pace, connection);
}

/** Stops reading the connection while something waits here, and goes on when nothing does. */
function settle(pace: Pace, connection: Connection): void {
  const { socket, waiting, rest, held } = connection;
  if (connection.ended || socket.destroyed) return;
  if (isForgotten(socket)) endConnection(pace, socket);
  else if (waiting.length > 0 || rest !== undefined || connection.slowed) {
    connection.held = true;
    if (!held) socket.pause();
    // A connection that must wait goes on when an answer has left, or at its slot.
    if (!connection.slowed && (waiting.length === 0 || !mustWait(pace, connection)))
      schedule(pace, connection);
  } else if (held) {
    connection.held = false;
    if (!platformWaits(socket)) socket.resume();
  }
}

function schedule(pace: Pace, connection: Connection): void {
  if (connection.scheduled) return;
  connection.scheduled = true;
  setImmediate(() =>
    inTurn(pace, connection, () => {
      connection.scheduled = false;
      goOn(pace, connection);
    }),
  );
}

function goOn(pace: Pace, connection: Connection): void {
  const { socket, waiting } = connection;
  if (socket.destroyed) return;
  while (waiting.length > 0 && hasTurn(pace, connection) && !mustWait(pace, connection)) {
    serve(pace, connection, ...waiting.shift()!);
  }
  if (connection.ended) {
    if (waiting.length > 0 && !mustWait(pace, connection)) schedule(pace, connection);
    return;
  }
  // It goes on when the platform does: a paused parser takes nothing.
  if (waiting.length === 0 && !connection.slowed && !isPausedByPlatform(socket)) {
    readPiece(pace, connection);
  } else settle(pace, connection);
}

function take(pace: Pace, request: IncomingMessage, response: ServerResponse): void {
  // This request came behind a body that is not read, and is never answered (AUTH-10).
  if (isForgotten(request.socket)) return;
  const connection = pace.connections.get(request.socket);
  if (connection === undefined) {
    pace.handle(request, response);
  } else if (
    connection.waiting.length === 0 &&
    hasTurn(pace, connection) &&
    !mustWait(pace, connection)
  ) {
    serve(pace, connection, request, response);
  } else connection.waiting.push([request, response]);
}

function serve(
  pace: Pace,
  connection: Connection,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { open } = connection;
  connection.served += 1;
  pace.served += 1;
  if (open.length === 0) {
    pace.clients.noteBusy(connection.client, connection.socket);
    pace.busy.add(connection);
  }
  open.push(response);
  let slowed = false;
  const slowOnce = (): void => {
    if (slowed || response.statusCode !== 429) return;
    slowed = true;
    slowDown(pace, connection, waitAfter(pace, connection, response));
  };
  response.on('close', () => {
    open.splice(open.indexOf(response), 1);
    if (open.length === 0) {
      pace.busy.delete(connection);
      noteLeaving(pace, connection);
      // A WebSocket is not an idle connection.
      if (!connection.socket.destroyed && !connection.ended)
        pace.clients.noteIdle(connection.client, connection.socket);
    }
    slowOnce();
    if (connection.waiting.length > 0) schedule(pace, connection);
  });
  pace.handle(request, response);
  slowOnce();
}

/**
 * For how long a refused connection is not read. A limit of an account says nothing of others
 * behind the same address. Of the answers of a worker the account is not known.
 */
function waitAfter({ refusals }: Pace, { client }: Connection, response: ServerResponse): number {
  const refused = addressRefusals.has(response) ? client.key : accountRefusals.get(response);
  return refused === undefined ? slotMs : refusals.note(refused, stopwatchMs());
}

/**
 * A connection that was refused because of a limit is not read for a time (CON-6). This leaves out
 * proxies: requests of other clients would wait, too.
 */
function slowDown(pace: Pace, connection: Connection, milliseconds: number): void {
  if (connection.client.isProxy || connection.slowed) return;
  connection.slowed = true;
  const goOnReading = (): void => {
    connection.slowed = false;
    schedule(pace, connection);
  };
  setTimeout(goOnReading, milliseconds).unref();
}

/** Whether another request of it may be served in this turn of the event loop. */
function hasTurn(pace: Pace, connection: Connection): boolean {
  if (!pace.turning) {
    pace.turning = true;
    setImmediate(() => {
      pace.turn += 1;
      pace.turning = false;
    });
  }
  if (connection.turn !== pace.turn) {
    connection.turn = pace.turn;
    connection.served = 0;
  }
  return connection.served < pace.bounds.requestsPerTurn;
}

/** Whether it must wait until it has read its answers, or for its slot. */
function mustWait({ bounds }: Pace, connection: Connection): boolean {
  const { open, slowed } = connection;
  if (slowed) return true;
  return open.length >= bounds.openRequests || unreadBytes(connection) >= bounds.unreadBytes;
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

function endConnection(pace: Pace, socket: Socket): void {
  const connection = pace.connections.get(socket);
  if (connection === undefined) return;
  connection.ended = true;
  connection.refused = true;
  dropRest(connection);
  noteLeaving(pace, connection);
}

function noteLeaving({ leaving }: Pace, { socket, refused, open, waiting }: Connection): void {
  if (refused && !socket.destroyed && open.length + waiting.length === 0) leaving.add(socket);
}

/** No byte has moved for `stalledMs`: the peer does not read, or does not send. */
function endStalled({ connections, bounds }: Pace, socket: Socket): void {
  const connection = connections.get(socket);
  // The peer waits for us: its requests are still being answered.
  if (connection !== undefined && connection.open.length > 0 && unreadBytes(connection) === 0) {
    socket.setTimeout(bounds.stalledMs);
  } else socket.destroy();
}
