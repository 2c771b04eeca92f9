// Links over real sockets: two members that talk, and everything that is no member or does not
// behave like one.

import { randomBytes } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { type Link, unsentBytesMax } from '../../src/link/createLink.ts';
import { dialLink, type LinkDialler } from '../../src/link/dialLink.ts';
import { createFrameReader, frameOf, readFrames } from '../../src/link/frameReader.ts';
import {
  decodeMessage,
  encodeMessage,
  type Hello,
  type LinkMessage,
  linkVersion,
} from '../../src/link/linkMessage.ts';
import { identityOf, type LinkSecret, linkTls } from '../../src/link/linkSecret.ts';
import { serveLink } from '../../src/link/serveLink.ts';
import { failuresMax, handshakesMax } from '../../src/link/strangers.ts';
import { stopwatchMs } from '../../src/std/clock.ts';
import { systemScheduler } from '../../src/std/scheduler.ts';

const secret: LinkSecret = { deployment: 'd1', secret: randomBytes(32) };
const helloOf = (process: string): Hello => ({
  ...{ kind: 'hello', version: linkVersion, process, release: '1.0.0', engineHash: 'ab' },
});
const shared = { scheduler: systemScheduler, stopwatch: stopwatchMs };

/** What one side of the tests has seen. */
type Seen = { link: Link | undefined; readonly got: LinkMessage[]; readonly ends: string[] };
const newSeen = (): Seen => ({ link: undefined, got: [], ends: [] });
const listenFor = (seen: Seen) => ({
  onOpen: (link: Link) => {
    seen.link = link;
  },
  onMessage: (_: Link, message: LinkMessage) => void seen.got.push(message),
  onEnd: (why: string) => {
    seen.link = undefined;
    seen.ends.push(why);
  },
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function openServer(
  used = secret,
  strangerOf = (address: string) => address,
  stopwatch = stopwatchMs,
): Promise<{ port: number; seen: Seen; journal: string[] }> {
  const seen = newSeen();
  const journal: string[] = [];
  const server = serveLink({
    ...{ ...shared, stopwatch, secret: () => used, hello: helloOf('server') },
    listen: () => listenFor(seen),
    report: (message) => void journal.push(message),
    strangerOf,
  });
  const port = await server.open({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close('the test is over'));
  return { port, seen, journal };
}

function dial(port: number, used = secret): Seen & { readonly dialler: LinkDialler } {
  const seen = newSeen();
  const dialler = dialLink({
    ...{ ...shared, secret: used, hello: helloOf('client') },
    ...listenFor(seen),
  });
  dialler.aim(`127.0.0.1:${port}`);
  onTestFinished(() => dialler.aim(undefined));
  return Object.assign(seen, { dialler });
}

test('two members know each other, talk in order, and keep an idle link', async () => {
  const { port, seen, journal } = await openServer();
  const client = dial(port);
  await until(() => client.link !== undefined && seen.link !== undefined);
  expect([client.link!.peer.process, seen.link!.peer.process]).toEqual(['server', 'client']);
  for (let position = 1; position <= 1000; position += 1) {
    client.link!.send({ kind: 'settled', position });
    seen.link!.send({ kind: 'settled', position: position + 1000 });
  }
  await until(() => client.got.length === 1000 && seen.got.length === 1000);
  expect(seen.got.map((message) => (message as { position: number }).position)).toEqual(
    Array.from({ length: 1000 }, (_, index) => index + 1),
  );
  await new Promise((resolve) => setTimeout(resolve, 2500));
  client.link!.send({ kind: 'settled', position: 7 });
  await until(() => seen.got.length === 1001);
  expect([client.ends, seen.ends, journal]).toEqual([[], [], []]);
  client.dialler.aim(undefined);
  await until(() => seen.ends.length === 1);
  expect(seen.ends).toEqual(['the peer ended the link: the link is not needed any more']);
});

test('a batch of the largest size passes', async () => {
  const { port, seen } = await openServer();
  const client = dial(port);
  await until(() => client.link !== undefined && seen.link !== undefined);
  const commands = randomBytes(8 * 1024 * 1024);
  const hash = Buffer.alloc(32);
  seen.link!.send({
    ...{ kind: 'batch', epoch: 1, position: 1, previousHash: hash, hash, time: 1, engineHash: '' },
    ...{ count: 1, commands, origins: Buffer.alloc(0), figures: '' },
  });
  await until(() => client.got.length === 1);
  expect((client.got[0] as { commands: Buffer }).commands.equals(commands)).toBe(true);
});

test.each<[string, LinkSecret]>([
  ['the peer has another secret of the link', { ...secret, secret: randomBytes(32) }],
  ['the peer belongs to another deployment', { ...secret, deployment: 'd2' }],
])('a process is refused on both sides: %s', async (why, used) => {
  const { port, seen, journal } = await openServer();
  const client = dial(port, used);
  await until(() => client.ends.length > 2 && journal.length > 0);
  expect(client.ends[0]).toBe(why);
  expect(journal).toEqual([`a connection from 127.0.0.1 to the link is refused: ${why}`]);
  expect([client.link, seen.link, client.got, seen.got]).toEqual([undefined, undefined, [], []]);
});

/** A connection of a stranger, and what it has got. */
function strange(
  port: number,
  bytes = '',
  localAddress = '127.0.0.1',
): { socket: Socket; got: Buffer[]; ended: () => boolean } {
  const got: Buffer[] = [];
  let ended = false;
  const socket = connect({ port, host: '127.0.0.1', localAddress }, () => socket.write(bytes));
  socket.on('data', (chunk) => void got.push(chunk));
  socket.on('error', () => {});
  socket.on('close', () => {
    ended = true;
  });
  onTestFinished(() => void socket.destroy());
  return { socket, got, ended: () => ended };
}

test('a stranger gets an alert at most, a silent one two seconds, and members come in beside them', async () => {
  const { port, seen, journal } = await openServer();
  const web = strange(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(web.ended);
  expect(Buffer.concat(web.got).length).toBeLessThan(20);
  expect(journal.at(-1)).toContain('the peer does not speak the link (ERR_SSL_HTTP_REQUEST)');
  const begun = performance.now();
  const silent = strange(port);
  await until(silent.ended);
  expect(performance.now() - begun).toBeGreaterThan(1500);
  expect(silent.got).toEqual([]);
  // Many silent ones: the oldest go, and a member is not kept out.
  const crowd = Array.from({ length: 2 * handshakesMax }, () => strange(port));
  await until(() => crowd.filter(({ ended }) => ended()).length >= handshakesMax);
  expect(crowd.filter(({ ended }) => !ended()).length).toBeLessThanOrEqual(handshakesMax);
  const member = await openMember(port, '127.0.0.2');
  member.socket.write(frameOf(encodeMessage(helloOf('other'))));
  await until(() => seen.link?.peer.process === 'other');
  for (const { socket } of crowd) socket.destroy();
  await until(() => crowd.every(({ ended }) => ended()));
  // By now the address has failed too often.
  const last = strange(port, 'GET / HTTP/1.1\r\n\r\n');
  await until(last.ended);
  expect(last.got).toEqual([]);
  expect(journal.at(-1)).toContain('too many of its handshakes have failed');
  expect(seen.got).toEqual([]);
});

test('failed handshakes of all addresses that count as one are counted together', async () => {
  const { port, journal } = await openServer(secret, () => 'one network');
  const sentence = 'too many of its handshakes have failed';
  for (let index = 0; index <= failuresMax; index += 1) {
    expect(journal.filter((line) => line.includes(sentence))).toEqual([]);
    const one = strange(port, 'GET / HTTP/1.1\r\n\r\n', `127.0.0.${10 + index}`);
    await until(one.ended);
  }
  expect(journal.at(-1)).toContain(sentence);
});

/** Passes bytes on, as `change` leaves them; undefined: not at all. */
async function openProxy(
  port: number,
  change: (chunk: Buffer, count: number) => readonly Buffer[],
): Promise<number> {
  let count = 0;
  const proxy = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      count += 1;
      for (const each of change(chunk, count)) client.write(each);
    });
    for (const socket of [client, upstream]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  return (proxy.address() as { port: number }).port;
}

test.each<[string, number, (chunk: Buffer) => readonly Buffer[]]>([
  [
    'altered',
    0,
    (chunk) => {
      chunk[chunk.length - 1]! ^= 1;
      return [chunk];
    },
  ],
  ['repeated', 1, (chunk) => [chunk, chunk]],
])(
  'bytes that are %s on the way end the link with a sentence, and a new one begins',
  async (_, taken, spoil) => {
    const { port, seen } = await openServer();
    let spoiled = false;
    const through = await openProxy(port, (chunk) => {
      const strike = client.link !== undefined && !spoiled && chunk.length > 100;
      spoiled ||= strike;
      return strike ? spoil(chunk) : [chunk];
    });
    const client = dial(through);
    await until(() => client.link !== undefined && seen.link !== undefined);
    const record = Buffer.alloc(200);
    seen.link!.send({ kind: 'requests', requests: [{ number: 1, ageMs: 0, record }] });
    await until(() => client.ends.length === 1 && client.link !== undefined);
    expect(spoiled).toBe(true);
    expect(client.ends).toEqual(['what came was altered on the way']);
    expect(client.got.length).toBe(taken);
  },
);

test('a peer whose bytes do not come any more is left, and reached again', async () => {
  const { port, seen } = await openServer();
  let stands = false;
  const through = await openProxy(port, (chunk) => (stands ? [] : [chunk]));
  const client = dial(through);
  await until(() => client.link !== undefined);
  stands = true;
  await until(() => client.ends.length > 0);
  expect(client.ends[0]).toBe('the peer is silent');
  stands = false;
  await until(() => client.link !== undefined && seen.link !== undefined);
});

/** A member that says what the test wants. */
async function openMember(
  port: number,
  localAddress = '127.0.0.1',
): Promise<{ socket: TLSSocket; got: LinkMessage[] }> {
  const pskCallback = () => ({ psk: secret.secret, identity: identityOf(secret) });
  const socket = connectTls({
    ...{ ...linkTls, host: '127.0.0.1', port, localAddress, pskCallback },
  });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const got: LinkMessage[] = [];
  const reader = createFrameReader();
  socket.on('data', (chunk) => {
    for (const frame of readFrames(reader, chunk)) got.push(decodeMessage(frame));
  });
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  return { socket, got };
}

test.each<[string, Buffer]>([
  ['a frame of 4294967295 bytes came', Buffer.alloc(4, 255)],
  ['the first message is no hello', frameOf(encodeMessage({ kind: 'settled', position: 1 }))],
  ['a message of an unknown kind came', frameOf(Buffer.from([200]))],
  [
    `the peer speaks version ${linkVersion + 1} of the link, and this release version ${linkVersion}`,
    frameOf(encodeMessage({ ...helloOf('x'), version: linkVersion + 1 })),
  ],
])('a member that does not speak as it must is left: %s', async (why, bytes) => {
  const { port, seen } = await openServer();
  const { socket, got } = await openMember(port);
  socket.write(bytes);
  await until(() => got.some(({ kind }) => kind === 'bye'));
  expect(got.at(-1)).toMatchObject({ why: expect.stringContaining(why) });
  expect(seen.ends).toMatchObject([expect.stringContaining(why)]);
});

test('a member that takes nothing is left before much waits for it', async () => {
  // For the server no time passes, so that a slow machine does not make the peer a silent one.
  const { port, seen } = await openServer(secret, undefined, () => 0);
  const { socket } = await openMember(port);
  socket.write(frameOf(encodeMessage(helloOf('slow'))));
  await until(() => seen.link !== undefined);
  socket.pause();
  const hash = Buffer.alloc(32);
  const commands = Buffer.alloc(4 * 1024 * 1024);
  let sent = 0;
  for (; seen.link !== undefined && sent < 100; sent += 1) {
    seen.link.send({
      ...{ kind: 'batch', epoch: 1, position: 1, previousHash: hash, hash, time: 1, count: 1 },
      ...{ engineHash: '', commands, origins: Buffer.alloc(0), figures: '' },
    });
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(seen.ends[0]).toMatch(/^the peer has not taken \d+ bytes$/);
  expect(sent * commands.length).toBeLessThan(2 * unsentBytesMax);
});
