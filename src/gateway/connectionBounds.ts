// What one client's connections may hold of a listener. Who has how many of them stands in
// connectionClients.ts, how the requests of one connection take turns in paceConnections.ts.

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
