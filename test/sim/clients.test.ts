// The clients of the simulated life, by themselves: they speak as stock clients do, try again as
// careful ones do, and report when a stream or an answer contradicts what they knew.

import { expect, test } from 'vitest';
import type { Actor } from '../../sim/life/clients/actor.ts';
import { createAccountListener } from '../../sim/life/clients/createAccountListener.ts';
import { createBookReader } from '../../sim/life/clients/createBookReader.ts';
import { type Caller, createCaller } from '../../sim/life/clients/createCaller.ts';
import { createDiffBook } from '../../sim/life/clients/createDiffBook.ts';
import { createUserListener } from '../../sim/life/clients/createUserListener.ts';
import { createDiary, type Diary } from '../../sim/life/clients/diary.ts';
import { placeOrder } from '../../sim/life/clients/placeOrder.ts';
import { createPriceBoard } from '../../sim/life/clients/priceBoard.ts';
import { readLedger } from '../../sim/life/clients/readLedger.ts';
import type { Judge } from '../../sim/life/oracles/createJudge.ts';
import { fillsKey } from '../../sim/life/oracles/keys.ts';
import type { Network } from '../../sim/life/ports.ts';
import { createPrng } from '../../src/std/prng.ts';
import { openWorld } from '../gateway/gatewayWorld.ts';
import { checksumOf, createBookCopy } from '../streams/localCopies.ts';
import {
  answered,
  bitcoin,
  clientKey,
  createFakeNetwork,
  type FakeNetwork,
} from './fakeNetwork.ts';

const unknown = { kind: 'unknown' } as const;

function createParts(fake: FakeNetwork) {
  const diary = createDiary();
  return { world: fake.world, diary, prng: createPrng(3), address: '192.0.2.9' };
}

function createTestActor(fake: FakeNetwork): { readonly actor: Actor; readonly diary: Diary } {
  const parts = createParts(fake);
  const caller = createCaller({ ...parts, key: clientKey });
  const prices = createPriceBoard(fake.world, caller);
  const state = { boldness: 50, open: [], positions: new Map(), available: 1000, names: 0 };
  return { actor: { ...caller, ...parts, ...state, prices }, diary: parts.diary };
}

test('AUTH-2 AUTH-3 the exchange understands every way in which a client signs', async () => {
  const world = await openWorld();
  try {
    const trader = await world.newTrader();
    const pending: Promise<unknown>[] = [];
    const network: Network = {
      send: ({ method, path, headers, body }, onReply) => {
        const { 'content-type': contentType, ...others } = headers;
        const sending = {
          headers: others,
          ...(body === '' ? {} : { body, contentType: contentType! }),
        };
        const sent = world.send(method, path, sending);
        pending.push(sent.then(({ status, text }) => onReply(answeredText(status, text))));
      },
      connect: () => expect.fail('no client connects'),
    };
    const fake = createFakeNetwork();
    const clock = { ...fake.world.clock, now: world.clock.now };
    const diary = createDiary();
    const life = { ...fake.world, network, clock };
    const parts = { world: life, diary, prng: createPrng(3), address: '192.0.2.9' };
    const { ask } = createCaller({ ...parts, key: { ...clientKey, ...trader } });
    const reported: unknown[] = [];
    const symbol = 'BTCUSDT';
    for (let i = 0; i < 12; i += 1) {
      const name = 'signed';
      const note = (answer: unknown): unknown => reported.push(answer);
      ask({ name, method: 'GET', path: '/fapi/v2/positionRisk', parameters: { symbol } }, note);
      const path = '/fapi/v1/leverage';
      ask({ name, method: 'POST', path, parameters: { symbol, leverage: 5 + i } }, note);
      ask({ name, method: 'DELETE', path: '/fapi/v1/allOpenOrders', parameters: { symbol } }, note);
    }
    await Promise.all(pending);
    expect(reported).toHaveLength(36);
    for (const answer of reported) expect(answer).toMatchObject({ status: 200, ok: true });
    expect(diary.wrong).toEqual([]);
  } finally {
    await world.close();
  }
});

const answeredText = (status: number, text: string) =>
  ({ kind: 'answered', answer: { status, text } }) as const;

test('a success that must fail and a fault are errors; an unreachable database is not', () => {
  const fake = createFakeNetwork();
  const parts = createParts(fake);
  const { ask } = createCaller({ ...parts, key: clientKey });
  const asked = { name: 'attack', method: 'GET', path: '/fapi/v2/balance' } as const;
  ask({ ...asked, mustFail: true });
  fake.sent[0]!.reply(answered(401, { code: -2015, msg: 'no' }));
  ask(asked);
  fake.sent[1]!.reply(answered(500, { code: -1000, msg: 'Database failure.' }));
  expect(parts.diary.wrong).toEqual([]);
  ask({ ...asked, mustFail: true });
  fake.sent[2]!.reply(answered(200, []));
  ask(asked);
  fake.sent[3]!.reply(answered(500, { code: -1000, msg: 'Internal error.' }));
  ask(asked);
  fake.sent[4]!.reply({ kind: 'answered', answer: { status: 200, text: '<html>' } });
  expect(parts.diary.wrong).toHaveLength(3);
});

const limit = {
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: '1',
  quantity: '1',
} as const;
const orderOf = (clientOrderId: string, orderId: string): object => {
  const figures = { executedQty: '0', origQty: '1', price: '1' };
  return { orderId, clientOrderId, status: 'NEW', ...figures };
};

test('a client without an answer sends the same order again, with the same name and key', () => {
  const fake = createFakeNetwork();
  const { actor, diary } = createTestActor(fake);
  let retried = 0;
  for (let i = 0; i < 30; i += 1) {
    const before = fake.sent.length;
    const name = placeOrder(actor, bitcoin, limit);
    fake.sent[before]!.reply(unknown);
    fake.pass(1000);
    const [first, second] = fake.sent.slice(before).map(({ request }) => request);
    if (second === undefined) continue;
    retried += 1;
    expect(first!.path + first!.body).toContain(name);
    expect(second.path + second.body).toContain(name);
    expect(second.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
    fake.sent.at(-1)!.reply(answered(400, { code: -2010, msg: 'no' }));
  }
  expect(retried).toBeGreaterThan(10);
  // The first of the two may have been executed: this refusal proves nothing.
  expect(diary.refused).toEqual([]);
});

test('a refusal of an order that was sent once means that the order does not exist', () => {
  const fake = createFakeNetwork();
  const { actor, diary } = createTestActor(fake);
  for (let i = 0; i < 20; i += 1) {
    placeOrder(actor, bitcoin, limit);
    fake.sent.at(-1)!.reply(answered(400, { code: -2019, msg: 'no' }));
  }
  const single = fake.sent.filter(({ request }) => request.single === true);
  expect(diary.refused).toHaveLength(single.length);
  expect(single.length).toBeGreaterThan(5);
});

test('ID-3 two orders for one key are an error', () => {
  const fake = createFakeNetwork();
  const { actor, diary } = createTestActor(fake);
  let keyed = 0;
  for (let i = 0; i < 20; i += 1) {
    const name = placeOrder(actor, bitcoin, limit);
    const { request, reply } = fake.sent.at(-1)!;
    const key = request.headers['idempotency-key'];
    if (key !== undefined) {
      keyed += 1;
      diary.made.set(key, 'another');
    }
    reply(answered(200, orderOf(name, 'this one')));
  }
  expect(keyed).toBeGreaterThan(3);
  expect(diary.wrong).toHaveLength(keyed);
});

const place = (channel: string, seq: number, before: number): object => ({
  ...{ channel, seq, prev_seq: before, epoch: 'e' },
});

function depthOf(levels: readonly [string, string][]): object {
  const copy = createBookCopy();
  for (const [price, quantity] of levels) copy.bids.set(price, quantity);
  return { checksum: checksumOf(copy) };
}

test('WS-2 a reader of books reports a gap and a wrong checksum', () => {
  const channel = 'depth:BTCUSDT';
  const message = (seq: number, before: number, bids: [string, string][]): object => ({
    ...{ type: 'depth', snapshot: before === seq, bids, asks: [] },
    ...place(channel, seq, before),
    ...depthOf([['1', '2'] as [string, string], ...bids]),
  });
  const hear = (...messages: object[]): string[] => {
    const fake = createFakeNetwork();
    const parts = createParts(fake);
    createBookReader(parts).open();
    for (const each of messages) fake.sockets[0]!.tell(each);
    return parts.diary.wrong;
  };
  const first = message(4, 4, [['1', '2']]);
  expect(hear(first, message(7, 4, [['3', '1']]))).toEqual([]);
  expect(hear(first, message(7, 6, [['3', '1']])).join()).toMatch('6 follows 4');
  expect(hear(first, { ...message(7, 4, [['3', '1']]), checksum: 1 }).join()).toMatch('checksum');
});

test('WS-3 a reader of differences reports a broken chain', () => {
  const diff = (U: number, u: number, pu: number): object => ({
    ...{ e: 'depthUpdate', U, u, pu },
    ...{ b: [['1', '1']], a: [] },
  });
  const hear = (...diffs: object[]): string[] => {
    const fake = createFakeNetwork();
    const parts = createParts(fake);
    const caller = createCaller({ ...parts, key: clientKey });
    createDiffBook(parts, caller, bitcoin).open();
    fake.sockets[0]!.tell(diffs[0]!);
    fake.sent[0]!.reply(answered(200, { lastUpdateId: 12, bids: [], asks: [] }));
    for (const each of diffs.slice(1)) fake.sockets[0]!.tell(each);
    return parts.diary.wrong;
  };
  expect(hear(diff(10, 11, 9), diff(12, 14, 11), diff(15, 15, 14))).toEqual([]);
  expect(hear(diff(10, 11, 9), diff(12, 14, 11), diff(16, 17, 15))).toHaveLength(1);
});

test('WS-2 a listener to an account reports a missing message', () => {
  const fake = createFakeNetwork();
  const parts = createParts(fake);
  createAccountListener(parts, { ...clientKey, token: 'token' }).open();
  const balance = { balance: '10', available_balance: '10' };
  const [socket] = fake.sockets;
  const rows = { balances: [balance], positions: [], orders: [], triggers: [] };
  socket!.tell({ type: 'account', ...place('account', 1, 1), snapshot: true, ...rows });
  socket!.tell({ type: 'account', ...place('account', 2, 1), event: 'balance', data: balance });
  expect(parts.diary.wrong).toEqual([]);
  expect(parts.diary.history.happenings).toHaveLength(2);
  // What moves with the mark has no number and is judged like every row.
  const figures = { balance, positions: [], triggers: [] };
  socket!.tell({ type: 'account', channel: 'account', event: 'figures', data: figures });
  expect(parts.diary.wrong).toEqual([]);
  expect(parts.diary.history.happenings).toHaveLength(3);
  socket!.tell({ type: 'account', ...place('account', 4, 3), event: 'balance', data: balance });
  expect(parts.diary.wrong).toHaveLength(1);
});

test('BAL-3 a ledger with a gap is reported, and a ledger that was read is compared with the log', () => {
  const fake = createFakeNetwork();
  const { actor, diary } = createTestActor(fake);
  const row = (id: string, amount: string, balance: string) => ({
    ...{ id, kind: 'deposit', symbol: null, amount, balance },
  });
  readLedger(actor);
  fake.sent[0]!.reply(answered(200, [row('a', '5', '5'), row('b', '-0.000001', '4.999999')]));
  expect(diary.wrong).toEqual([]);
  const seen = diary.history.happenings.at(-1);
  expect(seen).toMatchObject({ observation: { seen: { length: 3 } } });
  readLedger(actor);
  fake.sent[1]!.reply(answered(200, [row('a', '5', '5'), row('c', '1', '5.999999')]));
  expect(diary.wrong).toHaveLength(1);
});

test('WS-3 user data: an order continues from its last state and ends once, and no fill is missing', () => {
  const fake = createFakeNetwork();
  const parts = createParts(fake);
  const caller: Caller = createCaller({ ...parts, key: clientKey });
  const listener = createUserListener(parts, caller);
  listener.open();
  fake.sent[0]!.reply(answered(200, { listenKey: 'k' }));
  fake.pass(5000);
  const socket = fake.sockets.at(-1)!;
  expect(socket.path).toBe('/private/ws?listenKey=k');
  const lite = (i: string, l: string, t: number) => ({
    ...{ s: 'BTCUSDT', i, l, t, q: '3', L: '1', m: true },
  });
  const update = (
    i: string,
    x: string,
    X: string,
    [l, z, t]: readonly [string, string, number],
    short = x === 'TRADE' ? lite(i, l, t) : undefined,
  ) => {
    if (short !== undefined) socket.tell({ e: 'TRADE_LITE', ...short });
    const o = { ...lite(i, l, t), x, X, z, o: 'LIMIT', ot: 'LIMIT', rp: '0' };
    socket.tell({ e: 'ORDER_TRADE_UPDATE', o });
  };
  update('a', 'NEW', 'NEW', ['0', '0', 0]);
  update('a', 'TRADE', 'PARTIALLY_FILLED', ['1', '1', 7]);
  update('a', 'TRADE', 'FILLED', ['2', '3', 9]);
  expect(parts.diary.wrong).toEqual([]);
  const made = (...ids: number[]): Judge =>
    ({ numbers: new Map([[fillsKey(1, 'BTCUSDT'), ids]]) }) as never;
  expect(listener.check(undefined as never, made(5, 7, 9, 12))).toEqual([]);
  expect(listener.check(undefined as never, made(7, 8, 9))).toHaveLength(1);
  expect(listener.check(undefined as never, made(7))).toHaveLength(1);
  update('a', 'CANCELED', 'CANCELED', ['0', '3', 0]);
  expect(parts.diary.wrong).toHaveLength(1);
  update('b', 'NEW', 'NEW', ['0', '0', 0]);
  update('b', 'TRADE', 'PARTIALLY_FILLED', ['1', '2', 10]);
  expect(parts.diary.wrong).toHaveLength(2);
  // In TRADE_LITE with another value, and not at all.
  update('c', 'TRADE', 'PARTIALLY_FILLED', ['1', '1', 11], lite('c', '2', 11));
  expect(parts.diary.wrong).toHaveLength(3);
  socket.tell({
    e: 'ORDER_TRADE_UPDATE',
    o: { ...lite('d', '3', 12), x: 'TRADE', X: 'FILLED', z: '3' },
  });
  expect(parts.diary.wrong).toHaveLength(4);
});
