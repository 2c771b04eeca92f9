// An exchange's stream behind the transport port, without a network: it accepts connections or not,
// sends what a test wants, and can become silent like a half-open connection.

import type { OpenSocket, SocketEvents } from '../../../src/feeds/sources/openSocket.ts';

export type FakeConnection = {
  readonly url: string;
  /** The messages of the client. */
  readonly heard: string[];
  /** Whether the client has closed it. */
  closed: boolean;
  readonly open: () => void;
  readonly say: (message: unknown) => void;
  readonly end: (problem: string) => void;
};

export type FakeStream = {
  readonly openSocket: OpenSocket;
  readonly connections: FakeConnection[];
  readonly last: () => FakeConnection;
  /** How many connections are open or opening. */
  readonly held: () => number;
  /** Called with each message of the client. */
  onHeard: (connection: FakeConnection, text: string) => void;
};

export function createFakeStream(): FakeStream {
  const connections: FakeConnection[] = [];
  const stream: FakeStream = {
    connections,
    last: () => connections.at(-1)!,
    held: () => connections.filter(({ closed }) => !closed).length,
    onHeard: () => {},
    openSocket: (url, events) => {
      const connection = createConnection(url, events);
      connections.push(connection);
      return {
        send: (text) => {
          connection.heard.push(text);
          stream.onHeard(connection, text);
        },
        close: () => {
          connection.closed = true;
        },
      };
    },
  };
  return stream;
}

// It speaks even after the client has let go: a client must not listen any more.
function createConnection(url: string, events: SocketEvents): FakeConnection {
  return {
    url,
    heard: [],
    closed: false,
    open: events.onOpen,
    say: (message) =>
      events.onText(typeof message === 'string' ? message : JSON.stringify(message)),
    end: events.onEnd,
  };
}
