// Reads and serves a connection when it is its client's turn: parses the next piece of what has
// come, handles the requests in it, and stops reading while something of it waits (CON-8).

import type { IncomingMessage, ServerResponse } from 'node:http';
import { stopwatchMs } from '../std/clock.ts';
import { isForgotten } from './forgetRest.ts';
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

/** Parses the next piece; its requests come to `take`. */
function readPiece(pace: Pace, connection: PacedConnection): void {
  const piece = takePiece(connection, pace.bounds.bytesPerTurn);
  if (piece !== undefined) connection.parse(piece);
  settle(pace, connection);
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
    if (!connection.slowed && (waiting.length === 0 || !mustWait(pace, connection)))
      schedule(pace, connection);
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
function waitAfter(
  { refusals }: Pace,
  { client }: PacedConnection,
  response: ServerResponse,
): number {
  const refused = addressRefusals.has(response) ? client.key : accountRefusals.get(response);
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
