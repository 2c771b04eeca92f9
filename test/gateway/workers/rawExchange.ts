// HTTP as bytes: requests that a test writes, and their answers, so that answers can be compared
// byte by byte.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type RawRequest = {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export function rawText({ method, target, headers = {}, body }: RawRequest): string {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ Host: 'x', ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

export type Line = {
  readonly socket: Socket;
  readonly send: (text: string) => void;
  /** The next complete answer, without its date; if the connection closes, what came before. */
  readonly next: () => Promise<string>;
};

/** A connection with several open requests at once. */
export async function openLine(port: number): Promise<Line> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let rest = Buffer.alloc(0);
  let ended = false;
  let wake = (): void => {};
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    wake();
  });
  socket.on('close', () => {
    ended = true;
    wake();
  });
  await once(socket, 'connect');
  const next = async (): Promise<string> => {
    for (;;) {
      const size = wholeSize(rest);
      if (size !== undefined || ended) {
        const answer = rest.subarray(0, size ?? rest.length).toString('latin1');
        rest = rest.subarray(size ?? rest.length);
        return answer.replace(/\r\nDate: [^\r]*/, '');
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { socket, send: (text) => socket.write(text, 'latin1'), next };
}

/** The bytes of the first answer; undefined while it is not complete. */
function wholeSize(bytes: Buffer): number | undefined {
  const head = bytes.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const text = bytes.toString('latin1', 0, head);
  // An answer to HEAD announces a body that it does not send.
  if (text.startsWith('HTTP/1.1 204') || text.startsWith('HTTP/1.1 100')) return head + 4;
  const size = head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? '0');
  return bytes.length < size ? undefined : size;
}

/** The answer to one request on its own connection. */
export async function exchangeOnce(port: number, ...texts: readonly string[]): Promise<string> {
  const line = await openLine(port);
  for (const text of texts) line.send(text);
  const answer = await line.next();
  line.socket.destroy();
  return answer;
}
