// The client behind the WebSocket port, on loopback: what it says, what it takes, every breach of
// the protocol and of the bound, and that it lets go of a peer that says nothing more.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openSocket, type Socket } from '../../../src/feeds/sources/openSocket.ts';
import {
  type Answer,
  type SocketServer,
  serverFrame,
  startSocketServer,
  upgrade,
} from './socketServer.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const text = 0x81;
const binary = 0x82;
const close = 0x88;
const ping = 0x89;
const pong = 0x8a;

type Talk = {
  readonly server: SocketServer;
  readonly socket: Socket;
  readonly seen: string[];
  /** Resolves when something has been seen that contains the word. */
  readonly sees: (word: string) => Promise<void>;
};

async function talk(answer?: Answer): Promise<Talk> {
  const server = await startSocketServer(answer);
  const seen: string[] = [];
  const socket = openSocket(server.url, {
    onOpen: () => seen.push('open'),
    onText: (message) => seen.push(`text ${message.length > 100 ? message.length : message}`),
    onEnd: (problem) => seen.push(`end: ${problem}`),
  });
  ends.push(() => {
    socket.close();
    server.close();
  });
  return { server, socket, seen, sees: (word) => until(() => seen.join().includes(word)) };
}

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; !holds(); i += 1) {
    if (i > 500) throw new Error('it did not happen');
    await new Promise((done) => setTimeout(done, 10));
  }
}

async function opened(): Promise<Talk> {
  const talking = await talk();
  await talking.sees('open');
  return talking;
}

describe('talking', () => {
  test('it asks for an upgrade, and receives and sends texts', async () => {
    const { server, socket, seen, sees } = await opened();
    expect(server.heads[0]).toMatch(/^GET \/stream\?of=prices HTTP\/1\.1\r\n/);
    expect(server.heads[0]).toMatch(/sec-websocket-version: 13\r\n/i);
    expect(server.heads[0]).toMatch(/sec-websocket-key: [\w+/]{22}==\r\n/i);
    const long = 'é'.repeat(150);
    socket.send('hello');
    socket.send(long);
    await until(() => server.frames.length === 2);
    expect(server.frames).toEqual([
      { opcode: 1, payload: 'hello' },
      { opcode: 1, payload: long },
    ]);
    server.say(Buffer.concat([serverFrame(text, 'one'), serverFrame(text, 'grün 5 €')]));
    await sees('€');
    expect(seen).toEqual(['open', 'text one', 'text grün 5 €']);
  });

  test('frames may arrive byte by byte, in parts, and with pings between them', async () => {
    const { server, seen, sees } = await opened();
    const bytes = Buffer.concat([
      serverFrame(0x01, 'a€'.slice(0, 1)),
      serverFrame(0x00, Buffer.from('€').subarray(0, 1)),
      serverFrame(ping, 'are you there'),
      serverFrame(0x00, Buffer.from('€').subarray(1)),
      serverFrame(0x80, 'z'),
      serverFrame(pong, ''),
      serverFrame(text, ''),
      serverFrame(text, 'x'.repeat(300)),
      serverFrame(text, 'end'),
    ]);
    for (const byte of bytes) {
      server.say(Buffer.from([byte]));
      await new Promise((done) => setImmediate(done));
    }
    await sees('text end');
    expect(seen).toEqual(['open', 'text a€z', 'text ', 'text 300', 'text end']);
    await until(() => server.frames.length === 1);
    expect(server.frames).toEqual([{ opcode: 10, payload: 'are you there' }]);
  });

  test('data that arrives with the answer to the upgrade is read', async () => {
    const { seen, sees } = await talk((key) => `${upgrade(key)}\x81\x05early`);
    await sees('early');
    expect(seen).toEqual(['open', 'text early']);
  });

  test('a message of the largest size is accepted', async () => {
    const { server, sees } = await opened();
    server.say(serverFrame(text, 'x'.repeat(65_536)));
    await sees('65536');
  });
});

describe('ends', () => {
  test.each<[string, readonly Buffer[]]>([
    ['it has closed the connection', [serverFrame(close, Buffer.from([3, 232]))]],
    ['it sends a message of more than 64 KiB', [Buffer.from([text, 127, 0, 0, 0, 0, 0, 1, 0, 1])]],
    ['it sends a message of more than 64 KiB', [Buffer.from([text, 127, ...Array(8).fill(255)])]],
    [
      'it sends a message of more than 64 KiB',
      [serverFrame(0x01, 'x'.repeat(40_000)), serverFrame(0x80, 'x'.repeat(40_000))],
    ],
    ['it sends what is no text', [serverFrame(binary, 'x')]],
    ['it sends frames of another protocol', [serverFrame(0xc1, 'x')]],
    ['it sends frames of another protocol', [serverFrame(0x8b, 'x')]],
    ['it sends frames of another protocol', [Buffer.from([text, 0x81, 1, 2, 3, 4, 5])]],
    ['it sends frames of another protocol', [serverFrame(0x09, 'x')]],
    ['it sends frames of another protocol', [serverFrame(ping, 'x'.repeat(126))]],
    ['it sends frames of another protocol', [serverFrame(0x80, 'x')]],
    ['it sends frames of another protocol', [serverFrame(0x01, 'x'), serverFrame(text, 'y')]],
    ['it sends frames of another protocol', [serverFrame(text, Buffer.from([0xff, 0xfe]))]],
    ['it sends frames of another protocol', [Buffer.from('HTTP/1.1 400 Bad Request')]],
  ])('%s', async (problem, frames) => {
    const { server, seen, sees } = await opened();
    server.say(Buffer.concat([...frames, serverFrame(text, 'after')]));
    await sees('end');
    expect(seen.slice(1)).toEqual([`end: ${problem}`]);
    await until(() => server.sockets[0]!.readableEnded || server.sockets[0]!.destroyed);
  });

  test('a connection that breaks', async () => {
    const { server, seen, sees } = await opened();
    server.sockets[0]!.destroy();
    await sees('end');
    expect(seen).toEqual(['open', 'end: the connection broke']);
  });

  test.each<[string, Answer]>([
    ['it answers with status 403', () => 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'],
    ['it answers with status 200', () => 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'],
    ['it answers with status 302', () => 'HTTP/1.1 302 Found\r\nLocation: http://x/\r\n\r\n'],
    ['it speaks another protocol', () => upgrade('another key')],
    ['it cannot be reached', () => 'SSH-2.0-OpenSSH_9.6\r\n'],
  ])('a server that does not upgrade: %s', async (problem, answer) => {
    const { seen, sees } = await talk(answer);
    await sees('end');
    expect(seen).toEqual([`end: ${problem}`]);
  });

  test('nothing listens at the address', async () => {
    const server = await startSocketServer();
    server.close();
    const seen: string[] = [];
    openSocket(server.url, {
      onOpen: () => seen.push('open'),
      onText: () => seen.push('text'),
      onEnd: (problem) => seen.push(problem),
    });
    await until(() => seen.length > 0);
    expect(seen).toEqual(['it cannot be reached']);
  });

  test('closing ends the connection at once, and no message follows', async () => {
    const { server, socket, seen } = await opened();
    socket.close();
    socket.close();
    socket.send('too late');
    server.say(serverFrame(text, 'too late'));
    await until(() => server.sockets[0]!.destroyed || server.sockets[0]!.readableEnded);
    expect(seen).toEqual(['open']);
  });

  test('closing before the answer to the upgrade ends the connection too', async () => {
    const { server, socket, seen } = await talk(() => undefined);
    await until(() => server.heads.length === 1);
    socket.close();
    await until(() => server.sockets[0]!.destroyed || server.sockets[0]!.readableEnded);
    expect(seen).toEqual([]);
  });
});

// A process that holds on to a dead peer would not end at SIGTERM.
test('a silent peer does not keep a process alive', async () => {
  const server = await startSocketServer();
  ends.push(server.close);
  const source = join(import.meta.dirname, '../../../src');
  const script = `
    import { openSocket } from ${JSON.stringify(join(source, 'feeds/sources/openSocket.ts'))};
    const socket = openSocket(${JSON.stringify(server.url)}, {
      onOpen: () => socket.close(),
      onText: () => {},
      onEnd: () => {},
    });`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  ends.push(() => child.kill('SIGKILL'));
  const code = await new Promise((done) => child.on('exit', done));
  expect(code).toBe(0);
});
