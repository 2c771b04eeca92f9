// What a login has opened ends with its session (AUTH-11), over real sockets: each way in which a
// session ends, and what stays open beside it.

import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { publicOperations } from '../../src/api/operations.ts';
import type { Client } from '../../src/client/client.ts';
import { listenWithWorkers } from '../fixtures/listenWithWorkers.ts';
import {
  type MemoryExchange,
  openMemoryExchange,
  operatorToken,
} from '../fixtures/memoryExchange.ts';

let world: MemoryExchange;
let port: number;
let ticking: NodeJS.Timeout;

beforeEach(async () => {
  world = await openMemoryExchange();
  const { app, gateway } = world;
  port = await listenWithWorkers({ app, gateway, rows: publicOperations });
  ticking = setInterval(gateway.streams.tick, 5);
});

afterEach(async () => {
  clearInterval(ticking);
  world.gateway.streams.close();
  expect(world.faults).toEqual([]);
  await world.close();
});

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of messages.
type Said = any;

type Reader = {
  readonly socket: WebSocket;
  readonly say: (message: unknown) => void;
  /** The next message of this type; those before it are dropped. */
  readonly next: (type: string) => Promise<Said>;
};

async function open(): Promise<Reader> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  const heard: Said[] = [];
  let wake = (): void => {};
  socket.on('message', (data) => {
    heard.push(JSON.parse(String(data)));
    wake();
  });
  await once(socket, 'open');
  const next = async (type: string): Promise<Said> => {
    for (;;) {
      const message = heard.shift();
      if (message?.type === type) return message;
      if (message !== undefined) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { socket, say: (message) => socket.send(JSON.stringify(message)), next };
}

/** A socket that reads the account by this token. */
async function listen(token: string): Promise<Reader> {
  const reader = await open();
  reader.say({ type: 'auth', token });
  reader.say({ type: 'subscribe', channel: 'account' });
  expect(await reader.next('account')).toMatchObject({ snapshot: true });
  return reader;
}

const credit = async (address: string, reference: string): Promise<void> => {
  const { operator } = world.client({ operatorToken });
  await operator.creditAccount({ address, amount: '5', reference });
};

type Native = Client['native'];

/** `mine` asks, and `other` is the session that reads. */
const ends: readonly (readonly [string, (mine: Native, other: Native) => Promise<unknown>])[] = [
  ['its own logout', (_mine, other) => other.logout()],
  [
    'another session ends it',
    async (mine) => {
      const sessions = await mine.listSessions();
      await mine.endSession({ id: sessions.find(({ current }) => !current)!.id });
    },
  ],
  ['another session ends all others', (mine) => mine.endOtherSessions()],
];

test.each(ends)(
  'AUTH-11 WS-2 a session that ends takes its private channel along, over a socket: %s',
  async (_name, end) => {
    const other = await world.login(1);
    const { address } = other;
    const mine = await world.login(1);
    const reader = await listen(other.token);
    const kept = await listen(mine.token);
    await credit(address, 'before');
    expect(await reader.next('account')).toMatchObject({ event: 'balance' });
    await end(mine.client.native, other.client.native);
    expect(await reader.next('error')).toMatchObject({ code: 'INVALID_TOKEN', channel: 'account' });
    await credit(address, 'after');
    await kept.next('account');
    expect(await kept.next('account')).toMatchObject({ data: { balance: '10' } });
    // Nothing of the account comes any more, and neither the channel nor the token gives it back.
    reader.say({ type: 'subscribe', channel: 'account' });
    expect(await reader.next('error')).toMatchObject({ code: 'INVALID_TOKEN', channel: 'account' });
    reader.say({ type: 'auth', token: other.token });
    expect(await reader.next('error')).toMatchObject({ code: 'INVALID_TOKEN' });
    // The socket stays, and the token of a session that stands gives the account.
    reader.say({ type: 'auth', token: mine.token });
    reader.say({ type: 'subscribe', channel: 'account' });
    expect(await reader.next('account')).toMatchObject({ balances: [{ balance: '10' }] });
    reader.socket.close();
    kept.socket.close();
  },
);

test('AUTH-11 WS-2 a session that ends takes its private channel along, over a socket: a login too many', async () => {
  const oldest = await world.login(1);
  const reader = await listen(oldest.token);
  // An account without money has three sessions.
  for (let i = 0; i < 3; i += 1) await world.login(1);
  expect(await reader.next('error')).toMatchObject({ code: 'INVALID_TOKEN', channel: 'account' });
  reader.socket.close();
});

test('AUTH-11 WS-2 an end that is not durable is not reported, and no later message comes', async () => {
  const { address, token, client } = await world.login(1);
  const reader = await listen(token);
  world.log.hold();
  const ended = client.native.logout();
  const paid = credit(address, 'at the same time');
  reader.say({ type: 'ping' });
  await reader.next('pong');
  await new Promise((resolve) => setTimeout(resolve, 50));
  const heard: unknown[] = [];
  reader.socket.on('message', (data) => heard.push(JSON.parse(String(data)).type));
  expect(heard).toEqual([]);
  world.log.release();
  world.log.release();
  await Promise.all([ended, paid]);
  expect(await reader.next('error')).toMatchObject({ code: 'INVALID_TOKEN', channel: 'account' });
  expect(heard).toEqual(['error']);
  reader.socket.close();
});
