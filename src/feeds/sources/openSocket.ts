// A WebSocket to an external server: a port, and the client of `ws` behind it. The size of a
// message is bounded. A connection to a silent peer can be dropped at once.

import { WebSocket } from 'ws';

/** The longest accepted message, bytes. */
export const messageBytesMax = 65_536;

export type SocketEvents = {
  readonly onOpen: () => void;
  /** A message of text. */
  readonly onText: (text: string) => void;
  /**
   * Called once, and nothing is called after it; `problem` ends a sentence. Not called after our
   * own `close`.
   */
  readonly onEnd: (problem: string) => void;
};

export type Socket = {
  /** Sends a message of text; does nothing when the socket is not open. */
  readonly send: (text: string) => void;
  /** Drops the connection at once, without waiting for the peer. */
  readonly close: () => void;
};

export type OpenSocket = (url: string, events: SocketEvents) => Socket;

/** The code of a connection that ended without a close frame (RFC 6455, 7.1.5). */
const noGoodbye = 1006;

/** The client over TCP and TLS. It sets no time limit for opening. */
export const openSocket: OpenSocket = (url, events) => {
  const socket = new WebSocket(url, {
    maxPayload: messageBytesMax,
    perMessageDeflate: false,
    // Its own connection, which no pool keeps or reuses.
    agent: false as never,
    headers: { 'user-agent': 'evermark' },
  });
  let ended = false;
  const end = (problem: string | undefined): void => {
    if (ended) return;
    ended = true;
    socket.terminate();
    if (problem !== undefined) events.onEnd(problem);
  };
  socket.on('open', () => events.onOpen());
  socket.on('message', (data, isBinary) => {
    if (isBinary) end('it sends what is no text');
    else if (!ended) events.onText(String(data));
  });
  socket.on('unexpected-response', (_request, { statusCode }) =>
    end(`it answers with status ${statusCode}`),
  );
  socket.on('error', (error: NodeJS.ErrnoException) => end(problemOf(error)));
  socket.on('close', (code) => {
    end(code === noGoodbye ? 'the connection broke' : 'it has closed the connection');
  });
  return {
    send: (text) => {
      if (!ended && socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => end(undefined),
  };
};

const tooLong = new Set([
  'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH',
  'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH',
]);

/** The error that `ws` found, without the address, whose path may be a secret. */
function problemOf({ code, message }: NodeJS.ErrnoException): string {
  if (code !== undefined && tooLong.has(code)) return 'it sends a message of more than 64 KiB';
  if (code?.startsWith('WS_ERR_') === true) return 'it sends frames of another protocol';
  if (code === 'ECONNRESET') return 'the connection broke';
  return message.startsWith('Invalid Sec-WebSocket-Accept')
    ? 'it speaks another protocol'
    : 'it cannot be reached';
}
