// Requests from a worker to the serving thread, and answers back, without threads: bytes, bounds,
// secrets, and late requests.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Answer } from '../../../src/api/operation.ts';
import type { Route } from '../../../src/gateway/handlers.ts';
import { makeHmacKey } from '../../../src/gateway/identity/hmacSignature.ts';
import type { IncomingRequest } from '../../../src/gateway/incomingRequest.ts';
import { type Body, givenBody } from '../../../src/gateway/readBody.ts';
import { type Responder, unseenUsage } from '../../../src/gateway/responder.ts';
import {
  readToWorker,
  writeAnswer,
  writeKey,
  writeLimit,
} from '../../../src/gateway/workers/forwardedAnswer.ts';
import {
  type ReceivedRequest,
  readRequest,
  writeRequest,
} from '../../../src/gateway/workers/forwardedRequest.ts';
import {
  createForwardingHandlers,
  type ForwardingOptions,
} from '../../../src/gateway/workers/forwardingHandlers.ts';
import { createKeyMemory } from '../../../src/gateway/workers/keyMemory.ts';
import { serveForwarded } from '../../../src/gateway/workers/serveForwarded.ts';
import { must } from '../../../src/std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  createByteReader,
  createByteWriter,
  writtenBytes,
} from '../../../src/std/bytes.ts';
import { stopwatchLagMs, stopwatchMs } from '../../../src/std/clock.ts';
import { createManualClock } from '../../fixtures/manualClock.ts';

const order: Route = {
  name: 'placeOrder',
  method: 'POST',
  path: '/fapi/v1/order',
  surface: 'fapi',
  auth: 'key',
  countsAsOrder: true,
  addressWeight: { withSymbol: 1, without: 1 },
};
const balances: Route = { ...order, name: 'listBalances', surface: 'native', auth: 'jwt' };
const cancel: Route = { ...order, name: 'cancelOrder', method: 'DELETE', countsAsOrder: false };
const health: Route = { ...cancel, name: 'getHealth', surface: 'probe', auth: 'none' };
const price: Route = {
  ...health,
  name: 'getPriceTicker',
  method: 'GET',
  path: '/fapi/v1/ticker/price',
  surface: 'fapi',
  addressWeight: { withSymbol: 1, without: 2 },
};
const routes = [order, cancel, { ...balances, countsAsOrder: false }, health, price];

const incomingOf = (given: Partial<IncomingRequest> = {}): IncomingRequest => ({
  method: 'POST',
  target: '/fapi/v1/order',
  peer: '192.0.2.1',
  headers: {},
  readBody: givenBody(undefined),
  params: {},
  startedAt: stopwatchMs(),
  verdict: 'unknown',
  ...given,
});

/** As it arrives at the other thread. */
function takeMessage(gathered: ByteWriter): ByteReader {
  const message = createByteReader(writtenBytes(gathered));
  gathered.length = 0;
  return message;
}

function readAsCame(reader: ByteReader, lagMs = 0): ReceivedRequest {
  const read = readRequest(reader, { lagMs, learn: undefined, takesMade: () => false });
  if ('made' in read) throw new Error('it was asked as it came');
  return read;
}

const latin1 = fc
  .array(fc.integer({ min: 1, max: 255 }), { maxLength: 300 })
  .map((codes) => String.fromCharCode(...codes));

test('a request with any content arrives unchanged', () => {
  const header = fc.option(latin1, { nil: undefined });
  const requests = fc.array(
    fc.record({
      id: fc.nat(),
      handler: fc.nat(200),
      incoming: fc.record({
        method: fc.constantFrom('GET', 'POST', 'M-SEARCH'),
        target: latin1,
        peer: fc.constantFrom('', '127.0.0.1', '::ffff:10.0.0.1'),
        headers: fc.record({
          'x-mbx-apikey': header,
          'content-type': header,
          authorization: header,
          'idempotency-key': header,
          'x-forwarded-for': header,
          'content-length': header,
          'transfer-encoding': header,
        }),
        params: fc.dictionary(fc.constantFrom('id', 'chain', 'symbol'), fc.string()),
        startedAt: fc.nat(),
        verdict: fc.constantFrom('unknown', 'valid', 'invalid'),
      }),
      body: fc.oneof(
        fc.constantFrom(undefined, 'bodyTooLarge', 'requestMalformed'),
        fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
      ),
    }),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(requests, (sent) => {
      const writer = createByteWriter(16);
      for (const request of sent) writeRequest(writer, request, 1000);
      const reader = takeMessage(writer);
      for (const { id, handler, incoming, body } of sent) {
        const read = readAsCame(reader, 600);
        expect([read.id, read.handler]).toEqual([id, handler]);
        const { readBody, headers, ...rest } = read.incoming;
        let given: Body;
        readBody(500, (bytes) => {
          given = bytes;
        });
        expect(given).toEqual(body);
        expect(headers).toEqual(Object.fromEntries(present(incoming.headers)));
        const { method, target, peer, params, verdict } = incoming;
        const startedAt = incoming.startedAt + 400;
        expect(rest).toEqual({ method, target, peer, params: { ...params }, startedAt, verdict });
      }
      expect(reader.offset).toBe(reader.end);
      expect(writer.length).toBe(0);
    }),
  );
});

const present = (headers: object): [string, unknown][] =>
  Object.entries(headers).filter(([, value]) => value !== undefined);

test('an answer and a key arrive unchanged, in their order', () => {
  const answers = fc.record({
    id: fc.nat(),
    status: fc.integer({ min: 100, max: 599 }),
    text: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('ü'.repeat(70_000)), latin1),
    contentType: fc.option(fc.constant('text/html; charset=utf-8'), { nil: undefined }),
    weight: fc.integer({ min: -1, max: 2 ** 40 }),
  });
  fc.assert(
    fc.property(fc.array(answers, { maxLength: 4 }), (sent) => {
      const writer = createByteWriter(16);
      const key = makeHmacKey('a secret');
      for (const { id, weight, contentType, ...rest } of sent) {
        const answer = contentType === undefined ? rest : { ...rest, contentType };
        writeAnswer(writer, { id, answer, usage: { ...unseenUsage, weight } });
      }
      writeKey(writer, { apiKey: 'a key', key });
      const reader = takeMessage(writer);
      for (const { id, weight, contentType, ...rest } of sent) {
        const answer = contentType === undefined ? rest : { ...rest, contentType };
        const usage = { ...unseenUsage, weight };
        expect(readToWorker(reader)).toEqual({ kind: 'answer', id, answer, usage });
      }
      expect(readToWorker(reader)).toEqual({ kind: 'key', apiKey: 'a key', key });
      expect(reader.offset).toBe(reader.end);
    }),
  );
});

type Sent = { answer: Answer | undefined };

function responderInto(sent: Sent): Responder {
  return {
    failureOf: () => {
      throw new Error('a worker makes no failures of its own');
    },
    send: (answer) => {
      sent.answer = answer;
    },
  };
}

/** The handlers of a worker; the test takes their requests and gives the answers. */
function openForwarding(options: Partial<ForwardingOptions> = {}) {
  const posted: ByteReader[] = [];
  const reported: (readonly [number, number])[] = [];
  const steps: (() => void)[] = [];
  const clock = createManualClock();
  const { handlers, take } = createForwardingHandlers({
    clock,
    routes,
    trustedProxies: new Set(['127.0.0.1']),
    post: (requests) => posted.push(takeMessage(requests)),
    onRefused: (counts) => reported.push(...counts),
    onFault: (error) => {
      throw error;
    },
    defer: (step) => steps.push(step),
    ...options,
  });
  const send = (route: number, incoming = incomingOf()): Sent => {
    const sent: Sent = { answer: undefined };
    handlers.byRoute[route]!(incoming, responderInto(sent));
    return sent;
  };
  const turn = (): ReceivedRequest[] => {
    for (const step of steps.splice(0)) step();
    return posted.splice(0).flatMap((reader) => {
      const read: ReceivedRequest[] = [];
      while (reader.offset < reader.end) read.push(readAsCame(reader));
      return read;
    });
  };
  const answer = (id: number, text = '{}'): void => {
    const writer = createByteWriter();
    writeAnswer(writer, { id, answer: { status: 200, text }, usage: unseenUsage });
    take(takeMessage(writer));
  };
  return { handlers, take, send, turn, answer, reported, clock };
}

test('requests of a turn go in one message in order, and answers in any order find their requests', () => {
  const { send, turn, answer } = openForwarding();
  const sent = [send(0), send(2), send(1)];
  const requests = turn();
  expect(requests.map(({ handler }) => handler)).toEqual([0, 2, 1]);
  for (const index of [2, 0, 1]) answer(requests[index]!.id, `"${index}"`);
  expect(sent.map((each) => each.answer?.text)).toEqual(['"0"', '"1"', '"2"']);
  answer(requests[0]!.id, '"twice"');
  expect(sent[0]!.answer?.text).toBe('"0"');
});

test('Overload: waiting requests are bounded; orders are refused first, definitely, and it is reported', () => {
  const bounds = { orders: 2, requests: 3, bytes: 1000 };
  const { send, turn, answer, reported } = openForwarding({ bounds });
  const first = [send(0), send(0)];
  expect(first.map(({ answer: a }) => a)).toEqual([undefined, undefined]);
  const refused = send(0);
  expect(refused.answer).toMatchObject({ status: 429 });
  expect(refused.answer?.text).toContain('"code":-1003');
  expect(send(1).answer).toBeUndefined();
  expect(send(1).answer).toMatchObject({ status: 429 });
  const native = send(2);
  expect(native.answer).toMatchObject({ status: 429 });
  expect(native.answer?.text).toContain('"code":"TOO_MANY_REQUESTS"');
  // A busy process is still up (OPS-3).
  expect(send(3).answer).toBeUndefined();
  const requests = turn();
  expect(requests).toHaveLength(4);
  expect(reported).toEqual([]);
  answer(requests[0]!.id);
  answer(requests[1]!.id);
  answer(requests[3]!.id);
  expect(reported).toEqual([
    [0, 1],
    [1, 1],
    [2, 1],
  ]);
  expect(send(0).answer).toBeUndefined();
});

test('Overload: waiting bodies are bounded by their bytes', () => {
  const { send, turn, answer } = openForwarding({
    bounds: { orders: 100, requests: 100, bytes: 1000 },
  });
  const headers = { 'x-mbx-apikey': 'a key' };
  const large = incomingOf({ headers, readBody: givenBody(Buffer.alloc(600)) });
  send(0, large);
  send(0, large);
  expect(send(1).answer).toMatchObject({ status: 429 });
  const [one] = turn();
  answer(one!.id);
  expect(send(1).answer).toBeUndefined();
});

test('AUTH-2 a worker checks signatures only of keys whose secrets it has', () => {
  const { send, turn, take } = openForwarding();
  const secret = 'ab'.repeat(32);
  const writer = createByteWriter();
  writeKey(writer, { apiKey: 'known', key: makeHmacKey(secret) });
  take(takeMessage(writer));
  const query = 'timestamp=1';
  // Of 'timestamp=1{}' with this secret, as `openssl dgst -sha256 -hmac` says.
  const good = 'c8680619061e2161d5f75c5229ec2a5cdaba8389a12c8ec3ceb5b0dddb8462cf';
  const requests: [string, string][] = [
    ['known', good],
    ['known', `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`],
    ['known', ''],
    ['other', good],
  ];
  for (const [apiKey, given] of requests) {
    const target = `/fapi/v1/order?${query}${given === '' ? '' : `&signature=${given}`}`;
    const headers = { 'x-mbx-apikey': apiKey };
    send(0, incomingOf({ target, headers, readBody: givenBody(Buffer.from('{}')) }));
  }
  send(2, incomingOf({ headers: { 'x-mbx-apikey': 'known' } }));
  expect(turn().map(({ incoming }) => incoming.verdict)).toEqual([
    'valid',
    'invalid',
    'invalid',
    'unknown',
    'unknown',
  ]);
});

test('AUTH-10 a worker itself refuses a client at its limit, with the same answer', () => {
  const { send, turn, take, clock } = openForwarding();
  const from = (address: string) => {
    const headers = { 'x-forwarded-for': address, 'x-mbx-apikey': 'a key' };
    return incomingOf({
      peer: '127.0.0.1',
      headers,
      readBody: () => {
        throw new Error('a refused body is not read');
      },
    });
  };
  const writer = createByteWriter();
  const minute = clock.now() - (clock.now() % 60_000);
  const limitKey = '2001:db8:1:2::/64';
  writeLimit(writer, { limit: 'gate', limitKey, minute, used: 24_000, left: 0 });
  take(takeMessage(writer));
  const refused = send(0, from('2001:db8:1:2::7'));
  expect(refused.answer).toMatchObject({ status: 429 });
  expect(JSON.parse(must(refused.answer, 'refused').text)).toMatchObject({ code: -1003 });
  expect(turn()).toEqual([]);
  // Requests of other clients, in other limits and in the next minute are forwarded.
  const other = incomingOf({ peer: '127.0.0.1', headers: { 'x-forwarded-for': '192.0.2.1' } });
  expect(send(0, other).answer).toBeUndefined();
  const native = incomingOf({
    peer: '127.0.0.1',
    headers: { 'x-forwarded-for': '2001:db8:1:2::7' },
  });
  expect(send(2, native).answer).toBeUndefined();
  clock.advance(60_000);
  expect(send(0, { ...from('2001:db8:1:2::7'), readBody: givenBody(undefined) }).answer).toBe(
    undefined,
  );
  expect(turn()).toHaveLength(3);
});

test('AUTH-10 a worker itself refuses a request that weighs more than the rest, and forwards others', () => {
  const { send, turn, take, clock } = openForwarding();
  const minute = clock.now() - (clock.now() % 60_000);
  const limitKey = '192.0.2.1';
  const report = (left: number): void => {
    const writer = createByteWriter();
    const spent = { limit: 'publicWeight', limitKey, minute, used: 6000 - left, left } as const;
    writeLimit(writer, spent);
    take(takeMessage(writer));
  };
  const priceRoute = routes.length - 1;
  const one = incomingOf({ method: 'GET', target: '/fapi/v1/ticker/price?symbol=BTCUSDT' });
  const all = incomingOf({ method: 'GET', target: '/fapi/v1/ticker/price' });
  const large = incomingOf({ ...one, target: `${one.target}&x=${'y'.repeat(4096)}` });
  const isRefused = (incoming: IncomingRequest): boolean => {
    const { answer } = send(priceRoute, incoming);
    const forwarded = turn().length;
    expect(forwarded).toBe(answer === undefined ? 1 : 0);
    if (answer !== undefined) expect(answer).toMatchObject({ status: 429 });
    return answer !== undefined;
  };
  expect([one, all, large].map(isRefused)).toEqual([false, false, false]);
  report(1);
  expect([one, all, large].map(isRefused)).toEqual([false, true, true]);
  // An older, larger rest changes nothing.
  report(2);
  expect([one, all, large].map(isRefused)).toEqual([false, true, true]);
  report(0);
  expect([one, all, large].map(isRefused)).toEqual([true, true, true]);
  expect(isRefused({ ...all, peer: '192.0.2.2' })).toBe(false);
  clock.advance(60_000);
  expect([one, all, large].map(isRefused)).toEqual([false, false, false]);
});

test('a key that is not used for two minutes is forgotten, and the memory is bounded', () => {
  const memory = createKeyMemory(2);
  const key = makeHmacKey('a secret');
  memory.learn('a', key, 0);
  memory.learn('b', key, 0);
  memory.learn('c', key, 0);
  expect(memory.keyOf('c', 0)).toBeUndefined();
  expect(memory.keyOf('a', 119_000)).toBe(key);
  expect(memory.keyOf('b', 120_000)).toBeUndefined();
  expect(memory.keyOf('a', 179_000)).toBe(key);
  expect(memory.keyOf('a', 300_000)).toBeUndefined();
});

test('a request that has waited longer than a deadline is refused as definitely not executed', () => {
  const served: string[] = [];
  const late: string[] = [];
  const posted: ByteReader[] = [];
  const steps: (() => void)[] = [];
  const refuse = (): void => {
    throw new Error('no listener refuses here');
  };
  const { take } = serveForwarded({
    routes,
    handlers: {
      clock: createManualClock(),
      byRoute: routes.map(({ name }) => (_incoming, responder) => {
        served.push(name);
        responder.send({ status: 200, text: '{}' }, unseenUsage);
      }),
      refusals: {
        pathUnknown: refuse,
        requestMalformed: refuse,
        internal: refuse,
      },
      onFault: (error) => {
        throw error;
      },
    },
    post: (answers) => posted.push(takeMessage(answers)),
    onLate: ({ name }) => late.push(name),
    defer: (step) => steps.push(step),
  });
  const writer = createByteWriter();
  const sent = [
    { handler: 0, waitedMs: 0 },
    { handler: 0, waitedMs: 5500 },
    { handler: 3, waitedMs: 5500 },
  ];
  for (const [id, { handler, waitedMs }] of sent.entries()) {
    const incoming = incomingOf({ startedAt: stopwatchMs() - waitedMs });
    writeRequest(writer, { id, handler, incoming, body: undefined }, stopwatchLagMs());
  }
  take(takeMessage(writer));
  expect([served, late]).toEqual([['placeOrder', 'getHealth'], ['placeOrder']]);
  for (const step of steps) step();
  const reader = must(posted[0], 'the turn has ended');
  expect(readToWorker(reader)).toMatchObject({ id: 0, answer: { status: 200 } });
  expect(readToWorker(reader)).toMatchObject({ id: 1, answer: { status: 429 } });
  expect(readToWorker(reader)).toMatchObject({ id: 2, answer: { status: 200 } });
});
