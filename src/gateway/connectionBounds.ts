// The bounds of a listener's connections. connectionClients.ts counts the connections of each
// client; paceConnections.ts applies the bounds of one connection.

export type ConnectionBounds = {
  /** Open connections: of all clients, and of one address (CON-1). */
  readonly all: number;
  readonly perAddress: number;
  /** What is read of one connection, and how many requests of it are served, in one turn. */
  readonly bytesPerTurn: number;
  readonly requestsPerTurn: number;
  /** Requests of all connections that are served in one turn, in turns by client (CON-8). */
  readonly requestsPerTurnAll: number;
  /** Requests of one connection that are answered at the same time. */
  readonly openRequests: number;
  /** At this many unread bytes of answers, no further request of the connection is served. */
  readonly unreadBytes: number;
  /** The same of all connections together. Above it, those with the most unread bytes are cut. */
  readonly unreadBytesAll: number;
  /** A connection that has an answer to read is cut when no byte has moved for so long. */
  readonly stalledMs: number;
  /** A connection may take this long to read one answer. */
  readonly readWithinMs: number;
};

const megabyte = 1024 * 1024;

export const defaultConnectionBounds: ConnectionBounds = {
  all: 20_000,
  perAddress: 1000,
  bytesPerTurn: 4096,
  requestsPerTurn: 16,
  requestsPerTurnAll: 32,
  openRequests: 64,
  unreadBytes: megabyte / 4,
  unreadBytesAll: 64 * megabyte,
  stalledMs: 30_000,
  readWithinMs: 120_000,
};
