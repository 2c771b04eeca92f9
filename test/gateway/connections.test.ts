// The bounds of connections (CON-1): what one connection, or one address, may use of a listener.
// lane/laneConnections.test.ts has the same for connections that the fast lane reads.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { unseenUsage } from '../../src/gateway/responder.ts';
import {
  bigBytes,
  closing,
  countOf,
  open,
  type Peer,
  peerOf,
  requestOf,
  until,
} from './connectionStage.ts';

test('CON-1 2,600 requests in one write alternate with requests of others', async () => {
  const { port, served } = await open();
  const [flood, other] = [await peerOf(port), await peerOf(port)];
  flood.socket.write(requestOf('/n').repeat(2600));
  other.socket.write(requestOf('/other'));
  await until(() => other.text().includes('/other'));
  expect(served.indexOf('/other')).toBeLessThan(300);
  // All pipelined requests are served, in their order.
  await until(() => countOf(flood.text(), 'HTTP/1.1 200') === 2600);
  expect(served).toHaveLength(2601);
});

test('CON-8 clients take turns: one request does not wait behind a thousand connections of another', async () => {
  const { port, served } = await open({ bounds: { requestsPerTurnAll: 4 } });
  const crowd = await Promise.all(Array.from({ length: 300 }, () => peerOf(port)));
  const other = await peerOf(port, '127.0.0.2');
  // An answered connection is accepted.
  for (const { socket } of [...crowd, other]) socket.write(requestOf('/first'));
  await until(() => [...crowd, other].every(({ text }) => text().includes('/first')));
  served.length = 0;
  // All of it is there when the listener looks: this thread is the listener's too.
  for (const { socket } of crowd) socket.write(requestOf('/crowd'));
  other.socket.write(requestOf('/other'));
  await until(() => served.length === 301);
  expect(served.indexOf('/other')).toBeLessThan(100);
  await until(() => crowd.every(({ text }) => text().includes('/crowd')));
});

test('CON-8 a connection that sends on while it waits for its turn is not read further', async () => {
  const { port } = await open({ bounds: { requestsPerTurnAll: 1 } });
  const peers = await Promise.all(Array.from({ length: 40 }, () => peerOf(port)));
  const bodyBytes = 300_000;
  const post = `POST /body HTTP/1.1\r\nContent-Length: ${bodyBytes}\r\n\r\n${'x'.repeat(bodyBytes)}`;
  for (const { socket } of peers) socket.write(post + requestOf('/last'));
  await until(() => peers.every(({ text }) => text().includes('/last')));
  for (const { text } of peers) expect(text()).toContain(`/body ${bodyBytes}`);
});

test('CON-1 answers of pipelined requests come in the order of the requests', async () => {
  const { port } = await open();
  const { socket, text } = await peerOf(port);
  const targets = Array.from({ length: 1000 }, (_, i) => `/number${i}`);
  socket.write(targets.map((target) => requestOf(target)).join(''));
  await until(() => text().includes('/number999 '));
  expect([...text().matchAll(/"(\/number\d+) 0"/g)].map(([, target]) => target)).toEqual(targets);
});

test('CON-1 no further request of a connection is served while it does not read answers', async () => {
  const { port, served } = await open();
  const { socket, text } = await peerOf(port);
  socket.pause();
  socket.write(requestOf('/big').repeat(60));
  const other = await peerOf(port);
  for (let i = 0; i < 50; i += 1) {
    other.socket.write(requestOf(`/other${i}`));
    await until(() => other.text().includes(`/other${i} `));
  }
  // As much as the buffers of the system take, and little more.
  expect(served.filter((target) => target === '/big').length).toBeLessThan(30);
  socket.resume();
  await until(() => text().length > 60 * bigBytes);
  expect(countOf(text(), 'HTTP/1.1 200')).toBe(60);
});

test('CON-1 the number of simultaneous requests of one connection is bounded', async () => {
  const { port, later, served } = await open();
  const { socket, text } = await peerOf(port);
  socket.write(requestOf('/later').repeat(100) + requestOf('/last'));
  await until(() => later.length === 64);
  const other = await peerOf(port);
  other.socket.write(requestOf('/other'));
  await until(() => other.text().includes('/other'));
  expect(later).toHaveLength(64);
  for (let i = 0; i < 100; i += 1) {
    await until(() => later[i] !== undefined);
    later[i]!.responder.send({ status: 200, text: '"later"' }, unseenUsage);
  }
  await until(() => text().includes('/last'));
  expect(served.at(-1)).toBe('/last');
});

test('CON-1 a connection that stops reading its answer is cut, one that waits for the server is not', async () => {
  const { port, later } = await open({ bounds: { stalledMs: 300 } });
  const [lazy, patient] = [await peerOf(port), await peerOf(port)];
  lazy.socket.pause();
  lazy.socket.write(requestOf('/big').repeat(20));
  patient.socket.write(requestOf('/later'));
  await until(() => later.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(patient.socket.destroyed).toBe(false);
  later[0]!.responder.send({ status: 200, text: '"at last"' }, unseenUsage);
  await until(() => patient.text().includes('at last'));
  lazy.socket.resume();
  await lazy.ended;
  expect(countOf(lazy.text(), 'HTTP/1.1 200')).toBeLessThan(20);
});

test('CON-1 a connection that reads an answer too slowly is cut', async () => {
  const { port } = await open({ bounds: { readWithinMs: 600 } });
  const slow = await peerOf(port);
  slow.socket.pause();
  slow.socket.write(requestOf('/big').repeat(20));
  const reading = setInterval(() => slow.socket.read(1), 20);
  closing.push(() => clearInterval(reading));
  await new Promise((resolve) => setTimeout(resolve, 2000));
  slow.socket.resume();
  await slow.ended;
  expect(countOf(slow.text(), 'HTTP/1.1 200')).toBeLessThan(20);
});

test('CON-1 unread answers of all connections are bounded, and the connections with the most are cut', async () => {
  const bounds = { unreadBytesAll: 1_500_000, readWithinMs: 2400 };
  const { port, served } = await open({ bounds });
  const peers = await Promise.all([peerOf(port), peerOf(port), peerOf(port), peerOf(port)]);
  let cut = 0;
  for (const { socket, ended } of peers) {
    socket.pause();
    socket.write(requestOf('/big').repeat(20));
    void ended.then(() => {
      cut += 1;
    });
  }
  await until(() => served.length >= 8);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  for (const { socket } of peers) socket.resume();
  await until(() => cut >= 1);
});

test('CON-1 the connections of an address are bounded, and trusted proxies do not count as addresses', async () => {
  const bounds = { perAddress: 3 };
  const { port } = await open({ bounds });
  const held = [await peerOf(port), await peerOf(port), await peerOf(port)];
  const fourth = await peerOf(port);
  await fourth.ended;
  expect(fourth.text()).toBe('');
  held[1]!.socket.destroy();
  await held[1]!.ended;
  await until(() => held[1]!.socket.destroyed);
  let served = false;
  while (!served) {
    const again = await peerOf(port);
    again.socket.write(requestOf('/again'));
    await Promise.race([again.ended, until(() => again.text().includes('/again'))]);
    served = again.text().includes('/again');
  }
  const proxied = await open({ bounds, trustedProxies: new Set(['127.0.0.1']) });
  const many = await Promise.all(Array.from({ length: 6 }, () => peerOf(proxied.port)));
  for (const { socket } of many) socket.write(requestOf('/many'));
  for (const { text } of many) await until(() => text().includes('/many'));
});

test('CON-1 when all connections are in use, the one that is idle longest is closed', async () => {
  const { port } = await open({ bounds: { all: 6 } });
  const held = await Promise.all(Array.from({ length: 5 }, () => peerOf(port)));
  const busy = held[0]!;
  for (const { socket, text } of held) {
    socket.write(requestOf('/now'));
    await until(() => text().includes('/now'));
  }
  busy.socket.write(requestOf('/later'));
  for (let i = 0; i < 20; i += 1) {
    const next = await peerOf(port);
    next.socket.write(requestOf('/next'));
    await until(() => next.text().includes('/next'));
  }
  await held[1]!.ended;
  expect(busy.socket.destroyed).toBe(false);
});

test('CON-1 the client with the most connections loses one first, a trusted proxy last', async () => {
  const trustedProxies = new Set(['127.0.0.3']);
  const { port, figures } = await open({ bounds: { all: 12 }, trustedProxies });
  const lone = await peerOf(port);
  const proxied = await Promise.all([1, 2, 3].map(() => peerOf(port, '127.0.0.3')));
  for (const { socket, text } of [lone, ...proxied]) {
    socket.write(requestOf('/now'));
    await until(() => text().includes('/now'));
  }
  // They are idle for longest now, and another address takes all places that it can get.
  const overflow: Peer[] = [];
  for (let i = 0; i < 30; i += 1) {
    const one = await peerOf(port, '127.0.0.2');
    one.socket.write(requestOf('/crowd'));
    await until(() => one.text().includes('/crowd') || one.socket.destroyed);
    overflow.push(one);
  }
  await until(() => overflow.filter(({ socket }) => socket.destroyed).length >= 22);
  expect(figures.evicted + figures.refused.all).toBe(23);
  for (const { socket, text } of [lone, ...proxied]) {
    expect(socket.destroyed).toBe(false);
    socket.write(requestOf('/again'));
    await until(() => text().includes('/again'));
  }
});

test('CON-1 refused connections that wait for their close take no place, and close no idle connection', async () => {
  const { port, figures } = await open({ bounds: { all: 8 } });
  const idle = await peerOf(port);
  const ask = async (peer: Peer, target: string): Promise<void> => {
    peer.socket.write(requestOf(target));
    await until(() => peer.text().includes(target));
  };
  await ask(idle, '/mine');
  // Each announces a body that is not read, and leaves its connection open.
  for (let i = 0; i < 30; i += 1) {
    const { socket, text } = await peerOf(port);
    socket.write('GET /refused HTTP/1.1\r\nContent-Length: 1000000\r\n\r\nx');
    await until(() => text().includes('/refused'));
  }
  await ask(await peerOf(port), '/new');
  await ask(idle, '/again');
  expect(figures.refused.all).toBe(0);
});

test('CON-1 when nothing is idle a new connection is closed, and counted as refused', async () => {
  const { port, later, figures } = await open({ bounds: { all: 3 } });
  const held = [await peerOf(port), await peerOf(port)];
  for (const { socket } of held) socket.write(requestOf('/later'));
  await until(() => later.length === 2);
  const third = await peerOf(port);
  await third.ended;
  expect(figures).toEqual({ refused: { address: 0, site: 0, all: 1 }, evicted: 0 });
  for (const { responder } of later) responder.send({ status: 200, text: '"later"' }, unseenUsage);
  for (const { text } of held) await until(() => text().includes('later'));
});

test('CON-1 bodies in any pieces arrive whole, and requests after them are served', async () => {
  const { port, served } = await open();
  const { socket, text } = await peerOf(port);
  const whole = `POST /whole HTTP/1.1\r\nContent-Length: 900000\r\n\r\n${'x'.repeat(900_000)}`;
  const piece = `3e8\r\n${'y'.repeat(1000)}\r\n`;
  const pieces = `POST /pieces HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${piece.repeat(100)}0\r\n\r\n`;
  socket.write(whole + pieces + requestOf('/then'));
  await until(() => text().includes('/then'));
  expect(text()).toContain('"/whole 900000"');
  expect(text()).toContain('"/pieces 100000"');
  expect([...served].sort()).toEqual(['/pieces', '/then', '/whole']);
});

/** How many pieces of bodies the platform makes from now on, of every connection that opens. */
function countPieces(server: Server): { count: number } {
  const pieces = { count: 0 };
  server.on('connection', ({ parser }: Socket & { readonly parser: Record<number, unknown> }) => {
    // The function that takes the pieces of a body is in the parser's fourth slot.
    const taker = parser[3] as (...given: unknown[]) => unknown;
    const counting = function (this: unknown, ...given: unknown[]): unknown {
      pieces.count += 1;
      return taker.apply(this, given);
    };
    expect(taker.name).toBe('parserOnBody');
    Object.defineProperty(counting, 'name', { value: taker.name });
    parser[3] = counting;
    // The platform uses its parsers again.
    closing.push(() => {
      parser[3] = taker;
    });
  });
  return pieces;
}

test.each([
  ['that is read', 'POST', '/read', '"/read requestMalformed"', 1],
  ['of a method without one', 'GET', '/now', '"/now 0"', 1],
  ['that waits to be read', 'POST', '/later', '', 0],
  ['of a preflight', 'OPTIONS', '/fapi/v1/order', '204', 1],
] as const)('AUTH-10 a body of one-byte chunks %s becomes few pieces', async (...given) => {
  const [, method, target, answer, answers] = given;
  const { port, server } = await open();
  const pieces = countPieces(server);
  const { socket, text } = await peerOf(port);
  const [other, chunks] = [await peerOf(port), 20_000];
  const page = 'Origin: https://page.example\r\nAccess-Control-Request-Method: POST\r\n';
  const chunked = `${page}Transfer-Encoding: chunked\r\n`;
  socket.write(`${method} ${target} HTTP/1.1\r\n${chunked}\r\n`);
  socket.write('1\r\na\r\n'.repeat(chunks));
  socket.write(`0\r\n\r\n${requestOf('/behind')}`);
  await until(() => countOf(text(), 'HTTP/1.1 ') >= answers);
  for (let i = 0; i < 10; i += 1) {
    other.socket.write(requestOf(`/other${i}`));
    await until(() => other.text().includes(`/other${i} `));
  }
  // 64, and one too many.
  expect(pieces.count).toBeLessThanOrEqual(66);
  expect(text()).toContain(answer);
  expect(countOf(text(), 'HTTP/1.1 ')).toBe(answers);
});

test('CON-1 a body that is not read stays in the network', async () => {
  const { port, later } = await open();
  const { socket } = await peerOf(port);
  socket.write('GET /later HTTP/1.1\r\nContent-Length: 50000000\r\n\r\n');
  await until(() => later.length === 1);
  let taken = 0;
  for (let i = 0; i < 50; i += 1) socket.write(Buffer.alloc(1_000_000), () => (taken += 1));
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(taken).toBeLessThan(20);
});

test('CON-1 all bytes after a handshake go to the socket', async () => {
  const { port, upgraded } = await open({}, true);
  const { socket } = await peerOf(port);
  const head = requestOf('/ws', 'Connection: Upgrade\r\nUpgrade: websocket\r\n');
  const frames = Buffer.alloc(30_000, 'abcdefg');
  socket.write(Buffer.concat([Buffer.from(head), frames]));
  await until(() => Buffer.concat(upgraded).length === frames.length);
  expect(Buffer.concat(upgraded).equals(frames)).toBe(true);
});

test('AUTH-10 after an unread body no request is served, and no parser is harmed', async () => {
  const { port, served, later, upgraded } = await open({}, true);
  const upgrade = requestOf('/ws', 'Connection: Upgrade\r\nUpgrade: websocket\r\n');
  const chunked = 'POST /later-body HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n';
  const evil = await peerOf(port);
  // An answer that is not sent yet keeps the connection open.
  evil.socket.write(requestOf('/later-first') + chunked);
  await until(() => later.length === 2);
  later[1]!.responder.send({ status: 401, text: '"refused"' }, unseenUsage);
  evil.socket.write(`1\r\na\r\n0\r\n\r\n${requestOf('/smuggled')}${upgrade}`);
  // The next connection uses the parser that the upgrade would have set free.
  const honest = await peerOf(port);
  honest.socket.write('POST /honest HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}');
  await until(() => honest.text().includes('"/honest 2"'));
  later[0]!.responder.send({ status: 200, text: '"first"' }, unseenUsage);
  await evil.ended;
  expect(evil.text().match(/"(first|refused)"/g)).toEqual(['"first"', '"refused"']);
  expect(served).not.toContain('/smuggled');
  expect(upgraded).toEqual([]);
});

test('CON-1 malformed bytes after many requests are refused after the answers to those requests', async () => {
  const { port } = await open();
  const { socket, text, ended } = await peerOf(port);
  socket.write(`${requestOf('/good').repeat(300)}NONSENSE\r\n\r\n`);
  await ended;
  expect(countOf(text(), 'HTTP/1.1 200')).toBe(300);
  expect(text()).toMatch(/HTTP\/1\.1 400 Bad Request/);
});

const linesOf = (count: number): string => 'a:\r\n'.repeat(count);

test('AUTH-10 a head of a hundred lines is served, one of more is refused and ends its connection', async () => {
  const { port, served } = await open();
  const { socket, text, ended } = await peerOf(port);
  socket.write(requestOf('/full', linesOf(100)) + requestOf('/over', linesOf(101)));
  socket.write(requestOf('/later'));
  await ended;
  expect(served).toEqual(['/full']);
  expect(countOf(text(), 'HTTP/1.1 200')).toBe(1);
  expect(text()).toMatch(/HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
  expect(text()).toContain('"code":-1102');
  expect(text()).toContain('Access-Control-Allow-Origin: *');
});

test('AUTH-1 AUTH-10 no number of lines removes the line of a trusted proxy from a request', async () => {
  const { port, served } = await open({ trustedProxies: new Set(['127.0.0.1']) });
  for (const count of [101, 999, 1000, 1001, 3000]) {
    const { socket, text, ended } = await peerOf(port);
    socket.write(requestOf('/now', `${linesOf(count)}X-Forwarded-For: 8.8.8.8\r\n`));
    await ended;
    expect(text()).toContain('HTTP/1.1 431 ');
  }
  expect(served).toEqual([]);
});

test('AUTH-10 a handshake of too many lines makes no socket', async () => {
  const { port, upgraded } = await open({}, true);
  const { socket, text, ended } = await peerOf(port);
  const asks = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
  socket.write(requestOf('/ws', asks + linesOf(99)));
  await ended;
  expect(text()).toContain('HTTP/1.1 431 ');
  expect(upgraded).toEqual([]);
});

test('CON-6 a client over its limit is refused at its own pace, and its other connections are served', async () => {
  const { port, served } = await open();
  const [flood, other] = [await peerOf(port), await peerOf(port)];
  const refused = (): number => served.filter((target) => target === '/over').length;
  const startedAt = performance.now();
  flood.socket.write(requestOf('/over').repeat(60));
  for (let i = 0; i < 5; i += 1) {
    other.socket.write(requestOf(`/other${i}`));
    await until(() => other.text().includes(`/other${i} `));
    // A timer may be early by a millisecond.
    expect(refused()).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 4);
  }
  await until(() => countOf(flood.text(), 'HTTP/1.1 429') === 60);
  expect(performance.now() - startedAt).toBeGreaterThan(59 * 4);
});

test('CON-6 a trusted proxy is not slowed down for one of its clients', async () => {
  const { port, served } = await open({ trustedProxies: new Set(['127.0.0.1']) });
  const { socket, text } = await peerOf(port);
  socket.write(requestOf('/over').repeat(200));
  await until(() => text().includes('HTTP/1.1 429'));
  expect(served.length).toBeGreaterThanOrEqual(16);
  await until(() => countOf(text(), 'HTTP/1.1 429') === 200);
});

test('CON-6 a refusal for its own limit slows a connection by one slot, with any traffic of its address', async () => {
  const { port, served } = await open();
  const [crowd, own] = [await peerOf(port), await peerOf(port)];
  crowd.socket.write(requestOf('/over').repeat(100));
  await until(() => crowd.text().includes('HTTP/1.1 429'));
  for (let i = 0; i < 5; i += 1) {
    own.socket.write(requestOf('/own') + requestOf(`/cancel${i}`));
    await until(() => own.text().includes(`/cancel${i} `));
  }
  // Of the address the slots are far ahead; those of this connection are its own.
  expect(served.filter((target) => target === '/over').length).toBeLessThan(100);
});

test('CON-6 all connections of an account over its limit share its slots, and others do not wait', async () => {
  const { port, served } = await open();
  const peers = await Promise.all(Array.from({ length: 20 }, () => peerOf(port)));
  const other = await peerOf(port);
  const startedAt = performance.now();
  for (const { socket } of peers) socket.write(requestOf('/own').repeat(5));
  const refused = (): number => served.filter((target) => target === '/own').length;
  for (let i = 0; i < 5; i += 1) {
    other.socket.write(requestOf(`/own${i}`) + requestOf(`/cancel${i}`));
    await until(() => other.text().includes(`/cancel${i} `));
    // The first of each connection, and then one in 5 ms; a timer may be early by a millisecond.
    expect(refused()).toBeLessThanOrEqual(21 + (performance.now() - startedAt) / 4);
  }
  await until(() => peers.every(({ text }) => countOf(text(), 'HTTP/1.1 429') === 5));
  expect(performance.now() - startedAt).toBeGreaterThan(79 * 4);
});

test('CON-6 a client that opens a new connection after each refusal waits for its slots too', async () => {
  const { port } = await open();
  const startedAt = performance.now();
  for (let i = 0; i < 20; i += 1) {
    const peer = await peerOf(port);
    peer.socket.write(requestOf('/over'));
    await until(() => peer.text().includes('HTTP/1.1 429'));
    peer.socket.destroy();
  }
  // A timer may be early by a millisecond.
  expect(performance.now() - startedAt).toBeGreaterThan(19 * 4);
});

test('AUTH-10 a body of too many pieces that came whole before its answer ends the connection', async () => {
  const { port, later } = await open();
  const { socket, text, ended } = await peerOf(port);
  const head = 'POST /later HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n';
  socket.write(`${head}${'1\r\nx\r\n'.repeat(100)}0\r\n\r\n`);
  await until(() => later.length === 1);
  await new Promise((resolve) => setImmediate(resolve));
  later[0]!.responder.send({ status: 401, text: '"late"' }, unseenUsage);
  await until(() => text().includes('"late"'));
  expect(text()).toContain('Connection: close');
  // Before, it stayed open for 75 seconds and answered nothing more.
  socket.end();
  await ended;
});
