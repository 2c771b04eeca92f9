// What the pace of connections (paceConnections.ts) knows of each connection and of all.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionBounds } from './connectionBounds.ts';
import type { ConnectionClient, ConnectionClients } from './connectionClients.ts';
import type { HttpExchange, OpenAnswer } from './httpExchange.ts';
import type { LaneExchange } from './lane/laneExchange.ts';
import type { ParseRequest } from './lane/parseRequest.ts';
import { dropRest, type ReceivedBytes } from './receivedBytes.ts';
import type { RefusalPace } from './refusalPace.ts';
import type { ReadAnswers } from './slowReaders.ts';
import type { PacedSteps, TurnGate } from './sockets/pacedSteps.ts';

/** Handles a request whose turn has come. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => void;

export type PacedConnection = ReadAnswers &
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
    readonly open: OpenAnswer[];
    /**
     * Who reads it: the fast lane, `fresh` before its first request and `lane` from then on, or the
     * platform's parser, for good.
     */
    reader: 'fresh' | 'lane' | 'platform';
    /** The request of the fast lane that is being answered. */
    inLane: LaneExchange | undefined;
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
    oldest: OpenAnswer | undefined;
    oldestSince: number;
  };

export type PaceOptions = {
  readonly handle: Handle;
  /** Reads a request of the fast lane, and handles it. */
  readonly parseInLane: ParseRequest;
  readonly handleInLane: (exchange: HttpExchange) => void;
  /** Refuses a connection that sent nonsense, or is late. */
  readonly refuse: (code: string, socket: Socket) => void;
  readonly bounds: ConnectionBounds;
  readonly clients: ConnectionClients;
  /** While it is closed, what has come waits for its turn. */
  readonly gate?: TurnGate | undefined;
};

/** All connections of a server, and whose turn it is. */
export type Pace = PaceOptions & {
  readonly refusals: RefusalPace;
  readonly connections: WeakMap<Socket, PacedConnection>;
  /** Connections with answers that have not left completely. */
  readonly busy: Set<PacedConnection>;
  /** Refused connections whose answers have left: only their close is awaited (CON-1). */
  readonly leaving: Set<Socket>;
  /** Connections that the fast lane reads and has served. */
  readonly lane: Set<PacedConnection>;
  /** The server takes no more connections, and closes those that are idle. */
  closing: boolean;
  /** Connections, including those that became WebSockets. */
  count: number;
  readonly inTurn: PacedSteps;
  /** Requests served since the start. */
  served: number;
  /** The present step may serve requests until there are so many. */
  servedMax: number;
  turn: number;
  turning: boolean;
};

/** Nothing more of the connection is parsed; it closes after its answers. */
export function endConnection(pace: Pace, socket: Socket): void {
  const connection = pace.connections.get(socket);
  if (connection === undefined) return;
  connection.ended = true;
  connection.refused = true;
  dropRest(connection);
  noteLeaving(pace, connection);
}

/** Of a refused connection whose answers have left only the close is awaited (CON-1). */
export function noteLeaving(
  { leaving }: Pace,
  { socket, refused, open, waiting }: PacedConnection,
): void {
  if (refused && !socket.destroyed && open.length + waiting.length === 0) leaving.add(socket);
}
