// Reads and serves a connection when it is its client's turn: parses the next piece of what has
// come, handles the requests in it, and stops reading while something of it waits (CON-8).

import type { IncomingMessage, ServerResponse } from 'node:http';
import { stopwatchMs } from '../std/clock.ts';
import { isForgotten } from './forgetRest.ts';
import type { OpenAnswer } from './httpExchange.ts';
import { createLaneExchange } from './lane/laneExchange.ts';
import { endConnection, noteLeaving, type Pace, type PacedConnection } from './pacedConnection.ts';
import { isPausedByPlatform, platformWaits } from './platformWaits.ts';
import { takePiece } from './receivedBytes.ts';
import { accountRefusals, addressRefusals, slotMs } from './refusalPace.ts';
import { unreadBytes } from './slowReaders.ts';

/** What has come is parsed when it is the client's turn. */
export function readInTurn(pace: Pace, connection: PacedConnection): void {
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

/**
 * Requests that a connection may be served together even when less room is left: a client that
 * ends its side behind its requests would lose the answers to those that wait.
 */
const togetherMin = 4;

/** Does the work of a connection when it is its client's turn. It takes at least one share. */
function inTurn(pace: Pace, { client, socket }: PacedConnection, work: () => void): void {
  pace.inTurn(client.key, (room) => {
    if (socket.destroyed) return false;
    const before = pace.served;
    pace.servedMax = before + Math.max(room, togetherMin);
    work();
    return Math.max(1, pace.served - before);
  });
}

/** Parses the next piece; its requests come to `take`, unless the fast lane serves it. */
function readPiece(pace: Pace, connection: PacedConnection): void {
  const isOurs = connection.reader !== 'platform';
  if (!isOurs || mayServeInLane(pace, connection)) {
    const piece = takePiece(connection, pace.bounds.bytesPerTurn);
    if (piece !== undefined && !(isOurs && readInLane(pace, connection, piece))) {
      connection.parse(piece);
    }
  }
  settle(pace, connection);
}

function mayServeInLane(pace: Pace, connection: PacedConnection): boolean {
  const isFree = connection.inLane === undefined && hasTurn(pace, connection);
  return isFree && !mustWait(pace, connection);
}

/** false: the platform must read the piece, and everything behind it. */
function readInLane(pace: Pace, connection: PacedConnection, piece: Buffer): boolean {
  const { socket, rest } = connection;
  const { bounds, parseInLane } = pace;
  // What is behind the piece may belong to its request.
  const request = rest === undefined && socket.writable ? parseInLane(piece) : 'handOver';
  if (request === 'handOver') {
    leaveLane(pace, connection);
    return false;
  }
  const exchange = createLaneExchange(request, {
    socket,
    stalledMs: bounds.stalledMs,
    isClosing: () => pace.closing,
    onEnd: () => {
      connection.ended = true;
    },
    onLeft: () => {
      // Its client may be gone before an answer that has left, or the other way round.
      if (connection.inLane === exchange) afterLane(pace, connection, answered);
    },
  });
  connection.reader = 'lane';
  connection.inLane = exchange;
  pace.lane.add(connection);
  const answered = openAnswer(pace, connection, exchange.answer);
  pace.handleInLane(exchange);
  answered.slowOnce();
  return true;
}

/** The answer has left. What has come meanwhile, a pipelined request, is the platform's. */
function afterLane(pace: Pace, connection: PacedConnection, answered: Answered): void {
  connection.inLane = undefined;
  answered.leave();
  if (connection.rest !== undefined && !connection.socket.destroyed) {
    leaveLane(pace, connection);
    schedule(pace, connection);
  } else if (pace.closing) closeIdle(connection);
}

function leaveLane(pace: Pace, connection: PacedConnection): void {
  // As for a connection that is new to the platform.
  if (connection.reader === 'lane') connection.socket.setTimeout(pace.bounds.stalledMs);
  connection.reader = 'platform';
  pace.lane.delete(connection);
}

/** Closes a connection of the fast lane, unless it has a request. */
export function closeIdle({ socket, open, rest }: PacedConnection): void {
  if (open.length === 0 && rest === undefined) socket.destroy();
}

/** Stops reading the connection while something waits here, and goes on when nothing does. */
export function settle(pace: Pace, connection: PacedConnection): void {
  const { socket, waiting, rest, held } = connection;
  if (connection.ended || socket.destroyed) return;
  if (isForgotten(socket)) endConnection(pace, socket);
  else if (waiting.length > 0 || rest !== undefined || connection.slowed) {
    connection.held = true;
    if (!held) socket.pause();
    // A connection that must wait goes on when an answer has left, or at its slot.
    if (connection.slowed || connection.inLane !== undefined) return;
    if (waiting.length === 0 || !mustWait(pace, connection)) schedule(pace, connection);
  } else if (held) {
    connection.held = false;
    if (!platformWaits(socket)) socket.resume();
  }
}

export function schedule(pace: Pace, connection: PacedConnection): void {
  if (connection.scheduled) return;
  connection.scheduled = true;
  setImmediate(() =>
    inTurn(pace, connection, () => {
      connection.scheduled = false;
      goOn(pace, connection);
    }),
  );
}

function goOn(pace: Pace, connection: PacedConnection): void {
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

export function take(pace: Pace, request: IncomingMessage, response: ServerResponse): void {
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
  connection: PacedConnection,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const answered = openAnswer(pace, connection, response);
  response.on('close', answered.leave);
  pace.handle(request, response);
  answered.slowOnce();
}

type Answered = {
  /** Slows the connection down when the answer is a refusal because of a limit. */
  readonly slowOnce: () => void;
  /** The answer has left completely, or its client has gone. */
  readonly leave: () => void;
};

/** An answer of the connection is being made. */
function openAnswer(pace: Pace, connection: PacedConnection, answer: OpenAnswer): Answered {
  const { open } = connection;
  connection.served += 1;
  pace.served += 1;
  if (open.length === 0) {
    pace.clients.noteBusy(connection.client, connection.socket);
    pace.busy.add(connection);
  }
  open.push(answer);
  let slowed = false;
  const slowOnce = (): void => {
    if (slowed || answer.statusCode !== 429) return;
    slowed = true;
    slowDown(pace, connection, waitAfter(pace, connection, answer));
  };
  const leave = (): void => {
    open.splice(open.indexOf(answer), 1);
    if (open.length === 0) {
      pace.busy.delete(connection);
      noteLeaving(pace, connection);
      // A WebSocket is not an idle connection.
      if (!connection.socket.destroyed && !connection.ended)
        pace.clients.noteIdle(connection.client, connection.socket);
    }
    slowOnce();
    if (connection.waiting.length > 0) schedule(pace, connection);
  };
  return { slowOnce, leave };
}

/**
 * For how long a refused connection is not read. A limit of an account says nothing of others
 * behind the same address. Of the answers of a worker the account is not known.
 */
function waitAfter({ refusals }: Pace, { client }: PacedConnection, answer: OpenAnswer): number {
  const refused = addressRefusals.has(answer) ? client.key : accountRefusals.get(answer);
  return refused === undefined ? slotMs : refusals.note(refused, stopwatchMs());
}

/**
 * A connection that was refused because of a limit is not read for a time (CON-6). This leaves out
 * proxies: requests of other clients would wait, too.
 */
export function slowDown(pace: Pace, connection: PacedConnection, milliseconds: number): void {
  if (connection.client.isProxy || connection.slowed) return;
  connection.slowed = true;
  const goOnReading = (): void => {
    connection.slowed = false;
    schedule(pace, connection);
  };
  setTimeout(goOnReading, milliseconds).unref();
}

/** Whether another request of it may be served in this turn of the event loop. */
function hasTurn(pace: Pace, connection: PacedConnection): boolean {
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
  return connection.served < pace.bounds.requestsPerTurn && pace.served < pace.servedMax;
}

/** Whether it must wait until it has read its answers, or for its slot. */
function mustWait({ bounds }: Pace, connection: PacedConnection): boolean {
  const { open, slowed } = connection;
  if (slowed) return true;
  return open.length >= bounds.openRequests || unreadBytes(connection) >= bounds.unreadBytes;
}
