// A client of one real socket for tests: it sends JSON and waits for messages.

import { once } from 'node:events';
import { WebSocket } from 'ws';

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of messages.
export type Said = any;

export type SocketClient = {
  readonly socket: WebSocket;
  readonly say: (message: unknown) => void;
  /** The next message, or the next one of this type. */
  readonly next: (type?: string) => Promise<Said>;
  /** The code with which the socket closes. */
  readonly closed: Promise<number>;
};

/** On this port of the machine itself, once the socket is open. */
export async function openSocketClient(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<SocketClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  const messages: Said[] = [];
  let wake = (): void => {};
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data)));
    wake();
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await once(socket, 'open');
  const next = async (type?: string): Promise<Said> => {
    for (;;) {
      const index = messages.findIndex((message) => type === undefined || message.type === type);
      if (index >= 0) return messages.splice(index, 1)[0];
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { socket, say: (message) => socket.send(JSON.stringify(message)), next, closed };
}
