// What holds for every connection (CON-1, CON-6, CON-8) holds while the fast lane reads it, and
// when the platform takes it over.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { closeServer } from '../../../src/gateway/closeServer.ts';
import type { ServerOptions } from '../../../src/gateway/createServer.ts';
import { parseRequest } from '../../../src/gateway/lane/parseRequest.ts';
import { unseenUsage } from '../../../src/gateway/responder.ts';
import { bigBytes, closing, countOf, open, peerOf, requestOf, until } from '../connectionStage.ts';

/** A listener, with what its lane did and the sockets that it has accepted. */
async function openLane(options: ServerOptions = {}) {
  const lane = { taken: 0, handedOver: 0 };
  const opened = await open({
    ...options,
    parseInLane: (bytes) => {
      const request = parseRequest(bytes);
      if (request === 'handOver') lane.handedOver += 1;
      else lane.taken += 1;
      return request;
    },
  });
  return { ...opened, lane, sockets: socketsOf(opened.server) };
}

function socketsOf(server: Server): readonly Socket[] {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket));
  return sockets;
}

const ok = { status: 200, text: '"later"' };

test('requests one after the other stay in the lane, and their connection stays open as it says', async () => {
  const { port, lane, sockets } = await openLane();
  const { socket, text } = await peerOf(port);
  for (let i = 0; i < 20; i += 1) {
    socket.write(requestOf(`/fapi/n${i}`));
    await until(() => text().includes(`/fapi/n${i} `));
  }
  expect(lane).toEqual({ taken: 20, handedOver: 0 });
  expect(countOf(text(), 'Connection: keep-alive\r\nKeep-Alive: ')).toBe(20);
  expect(sockets[0]!.timeout).toBe(76_000);
});

test('a connection that was handed over is never read by the lane again', async () => {
  const { port, lane, sockets } = await openLane();
  const { socket, text } = await peerOf(port);
  socket.write(requestOf('/fapi/first'));
  await until(() => text().includes('/fapi/first'));
  socket.write('GET /fapi/cut HTT');
  await until(() => lane.handedOver === 1);
  // The time of the platform is that of a new connection.
  expect(sockets[0]!.timeout).toBe(30_000);
  socket.write('P/1.1\r\n\r\n');
  await until(() => text().includes('/fapi/cut'));
  socket.write(requestOf('/fapi/then'));
  await until(() => text().includes('/fapi/then'));
  expect(lane).toEqual({ taken: 1, handedOver: 1 });
});

test('what comes while a request is answered is served behind its answer, and nothing is lost', async () => {
  const { port, later, served } = await openLane();
  const { socket, text } = await peerOf(port);
  socket.write(requestOf('/fapi/later'));
  await until(() => later.length === 1);
  const many = Array.from({ length: 300 }, (_, i) => requestOf(`/fapi/n${i}`)).join('');
  for (let at = 0; at < many.length; at += 1000) socket.write(many.slice(at, at + 1000));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(served).toEqual(['/fapi/later']);
  later[0]!.responder.send(ok, unseenUsage);
  await until(() => text().includes('/fapi/n299 '));
  expect(served.slice(1)).toEqual(Array.from({ length: 300 }, (_, i) => `/fapi/n${i}`));
  expect(text().indexOf('"later"')).toBeLessThan(text().indexOf('/fapi/n0 '));
});

test('CON-1 a connection that sends on while it is answered is not read further', async () => {
  const { port, later } = await openLane();
  const { socket } = await peerOf(port);
  socket.write(requestOf('/fapi/later'));
  await until(() => later.length === 1);
  let taken = 0;
  for (let i = 0; i < 50; i += 1) socket.write(Buffer.alloc(bigBytes), () => (taken += 1));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(taken).toBeLessThan(20);
});

/** Asks for large answers in the lane, one after the other, until one waits for its client. */
async function fillUnread({ port, sockets, served }: Awaited<ReturnType<typeof openLane>>) {
  const before = sockets.length;
  const peer = await peerOf(port);
  await until(() => sockets.length > before);
  const own = sockets[before]!;
  peer.socket.pause();
  for (let asked = served.length; own.writableLength === 0; ) {
    asked += 1;
    peer.socket.write(requestOf('/fapi/big'));
    await until(() => served.length === asked);
  }
  return { ...peer, own };
}

test('CON-1 a connection that stops reading its answer is cut, one that waits for the server is not', async () => {
  const opened = await openLane({ bounds: { stalledMs: 300 } });
  const { port, later, lane } = opened;
  const patient = await peerOf(port);
  patient.socket.write(requestOf('/fapi/later'));
  await until(() => later.length === 1);
  const lazy = await fillUnread(opened);
  await until(() => lazy.own.destroyed);
  // The server's time of an idle connection is over, and the client still waits.
  opened.server.emit('timeout', opened.sockets[0]!);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(patient.socket.destroyed).toBe(false);
  later[0]!.responder.send(ok, unseenUsage);
  await until(() => patient.text().includes('later'));
  expect(lane.handedOver).toBe(0);
});

test('CON-1 an answer that is read in pieces leaves whole, and the connection goes on in the lane', async () => {
  const opened = await openLane();
  const { socket, text, own } = await fillUnread(opened);
  expect(own.timeout).toBe(30_000);
  socket.resume();
  await until(() => own.writableLength === 0);
  await until(() => own.timeout === 76_000);
  socket.write(requestOf('/fapi/then'));
  await until(() => text().includes('/fapi/then'));
  expect(opened.lane.handedOver).toBe(0);
  expect(text().split('x'.repeat(bigBytes)).length).toBe(opened.lane.taken);
});

test('CON-1 a connection that reads an answer of the lane too slowly is cut', async () => {
  const opened = await openLane({ bounds: { readWithinMs: 600 } });
  const slow = await fillUnread(opened);
  expect(opened.lane.handedOver).toBe(0);
  const reading = setInterval(() => slow.socket.read(1), 20);
  closing.push(() => clearInterval(reading));
  await until(() => slow.own.destroyed);
});

test('CON-1 unread answers of all connections of the lane are bounded', async () => {
  const bounds = { unreadBytesAll: bigBytes, readWithinMs: 24_000 };
  const opened = await openLane({ bounds });
  const peers: Awaited<ReturnType<typeof fillUnread>>[] = [];
  for (let i = 0; i < 4; i += 1) peers.push(await fillUnread(opened));
  await until(() => peers.some(({ own }) => own.destroyed));
  expect(opened.lane.handedOver).toBe(0);
});

test('CON-6 refusals in the lane come at the pace of their client, others do not wait', async () => {
  const { port, lane } = await openLane();
  const [flood, other] = [await peerOf(port), await peerOf(port)];
  const startedAt = performance.now();
  for (let i = 1; i <= 30; i += 1) {
    flood.socket.write(requestOf('/fapi/over'));
    await until(() => countOf(flood.text(), 'HTTP/1.1 429') === i);
    other.socket.write(requestOf(`/fapi/other${i}`));
    await until(() => other.text().includes(`/fapi/other${i} `));
  }
  // A timer may be early by a millisecond.
  expect(performance.now() - startedAt).toBeGreaterThan(29 * 4);
  expect(lane).toEqual({ taken: 60, handedOver: 0 });
});

test('CON-8 clients take turns in the lane, too', async () => {
  const { port, served, lane } = await openLane({ bounds: { requestsPerTurnAll: 4 } });
  const crowd = await Promise.all(Array.from({ length: 300 }, () => peerOf(port)));
  const other = await peerOf(port, '127.0.0.2');
  for (const { socket } of [...crowd, other]) socket.write(requestOf('/fapi/first'));
  await until(() => [...crowd, other].every(({ text }) => text().includes('/fapi/first')));
  served.length = 0;
  for (const { socket } of crowd) socket.write(requestOf('/fapi/crowd'));
  other.socket.write(requestOf('/fapi/other'));
  await until(() => served.length === 301);
  expect(served.indexOf('/fapi/other')).toBeLessThan(100);
  expect(lane).toEqual({ taken: 602, handedOver: 0 });
});

test('CON-1 an idle connection of the lane gives way, one that is being answered does not', async () => {
  const { port, later } = await openLane({ bounds: { all: 4 } });
  const [busy, idle] = [await peerOf(port), await peerOf(port)];
  idle.socket.write(requestOf('/fapi/now'));
  await until(() => idle.text().includes('/fapi/now'));
  busy.socket.write(requestOf('/fapi/later'));
  await until(() => later.length === 1);
  for (let i = 0; i < 6; i += 1) {
    const next = await peerOf(port);
    next.socket.write(requestOf('/fapi/next'));
    await until(() => next.text().includes('/fapi/next'));
  }
  await idle.ended;
  later[0]!.responder.send(ok, unseenUsage);
  await until(() => busy.text().includes('"later"'));
});

test('the first head of a connection of the lane is not late, that of a silent one is', async () => {
  const { port, server, sockets, later } = await openLane();
  const late = (socket: Socket): boolean =>
    server.emit(
      'clientError',
      Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      socket,
    );
  const [used, silent] = [await peerOf(port), await peerOf(port)];
  await until(() => sockets.length === 2);
  const own = sockets.find(({ remotePort }) => remotePort === used.socket.localPort)!;
  used.socket.write(requestOf('/fapi/later'));
  await until(() => later.length === 1);
  for (const socket of sockets) late(socket);
  await silent.ended;
  expect(silent.text()).toContain('HTTP/1.1 408 Request Timeout');
  later[0]!.responder.send(ok, unseenUsage);
  await until(() => used.text().includes('"later"'));
  late(own);
  used.socket.write(requestOf('/fapi/now'));
  await until(() => used.text().includes('/fapi/now'));
  // A part of a head is the platform's, and late.
  used.socket.write('GET /fapi');
  await until(() => own.timeout === 30_000);
  late(own);
  await used.ended;
  expect(used.text()).toContain('HTTP/1.1 408 Request Timeout');
});

test('a server that closes ends idle connections of the lane, and answers the others first', async () => {
  const { port, later, close, server, figures } = await openLane();
  const [idle, busy] = [await peerOf(port), await peerOf(port)];
  idle.socket.write(requestOf('/fapi/now'));
  await until(() => idle.text().includes('/fapi/now'));
  busy.socket.write(requestOf('/fapi/later'));
  await until(() => later.length === 1);
  const closed = closeServer({ server, close, figures, listen: async () => {} }, 60_000);
  await idle.ended;
  expect(busy.socket.destroyed).toBe(false);
  later[0]!.responder.send(ok, unseenUsage);
  await busy.ended;
  expect(busy.text()).toContain('Connection: close\r\n\r\n"later"');
  await closed;
});

test('a server that has waited long enough closes connections of the lane, too', async () => {
  const { port, later, close, server, figures } = await openLane();
  const busy = await peerOf(port);
  busy.socket.write(requestOf('/fapi/later'));
  await until(() => later.length === 1);
  await closeServer({ server, close, figures, listen: async () => {} }, 50);
  await busy.ended;
  expect(busy.text()).toBe('');
});

test('a client that goes away before its answer harms nothing', async () => {
  const { port, later, sockets } = await openLane();
  const gone = await peerOf(port);
  gone.socket.write(requestOf('/fapi/later'));
  await until(() => later.length === 1);
  gone.socket.resetAndDestroy();
  await until(() => sockets[0]!.destroyed);
  later[0]!.responder.send(ok, unseenUsage);
  const other = await peerOf(port);
  other.socket.write(requestOf('/fapi/now'));
  await until(() => other.text().includes('/fapi/now'));
});
