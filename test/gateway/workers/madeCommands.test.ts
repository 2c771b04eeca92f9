// Goal: the commands that workers make change no byte of any answer. Method: two exchanges in
// memory get the same drawn requests, usual ones and spoilt ones, one by one and several at once.
// One serves them itself; the other gets them from the handlers of a worker, with the bytes of both
// ways, through rings so small that many messages wait for room. Answers with their figures of
// limits must be equal; and workers must have made many commands.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureAnswer } from '../../../src/api/errors/failureAnswer.ts';
import type { Answer } from '../../../src/api/operation.ts';
import { publicOperations } from '../../../src/api/operations.ts';
import { marketsOf, sizesOf } from '../../../src/engine/views/exchange.ts';
import { createHandlers } from '../../../src/gateway/createHandlers.ts';
import type { Handler, IncomingRequest } from '../../../src/gateway/incomingRequest.ts';
import { givenBody } from '../../../src/gateway/readBody.ts';
import type { Responder, Usage } from '../../../src/gateway/responder.ts';
import { createMadeHandler } from '../../../src/gateway/workers/createMadeHandler.ts';
import { createRingLink } from '../../../src/gateway/workers/createRingLink.ts';
import { readRequest } from '../../../src/gateway/workers/forwardedRequest.ts';
import { createForwardingHandlers } from '../../../src/gateway/workers/forwardingHandlers.ts';
import { gridOf } from '../../../src/gateway/workers/makeCommand.ts';
import { serveForwarded } from '../../../src/gateway/workers/serveForwarded.ts';
import { createByteRing } from '../../../src/std/byteRing.ts';
import { type ByteWriter, createByteReader } from '../../../src/std/bytes.ts';
import { stopwatchMs } from '../../../src/std/clock.ts';
import { createPrng, type Prng } from '../../../src/std/prng.ts';
import { openWorld, type Trader, type World, worldTerms } from '../gatewayWorld.ts';
import { type Drawn, drawRequest } from './drawRequest.ts';

type Side = {
  readonly world: World;
  readonly traders: readonly Trader[];
  readonly byRoute: readonly Handler[];
  /** Commands that the worker has made so far. */
  readonly made: () => number;
};

const rows = publicOperations;
const routes = rows.map((row) => ({ ...row, addressWeight: { withSymbol: 1, without: 1 } }));

async function openSide(worked: boolean): Promise<Side> {
  const world = await openWorld();
  const traders = [await world.newTrader(), await world.newTrader(500), await world.newTrader()];
  await world.setKeyStatus(traders[2]!, 'disabled');
  const served = createHandlers(world.gateway, rows);
  if (!worked) return { world, traders, byRoute: served.byRoute, made: () => 0 };
  let made = 0;
  const { exchange } = world.replica;
  const known = marketsOf(exchange).map(gridOf);
  const serving = serveForwarded({
    handlers: served,
    byMade: rows.map((row) => createMadeHandler(world.gateway, row)),
    routes,
    markets: { listed: () => marketsOf(exchange), known: known.length },
    post: (answers) => serverEnd.post(answers),
    onLate: () => {},
  });
  const forwarding = createForwardingHandlers({
    clock: world.clock,
    routes,
    trustedProxies: world.gateway.trustedProxies,
    markets: known,
    post: (requests) => {
      made += countMade(requests);
      workerEnd.post(requests);
    },
    onRefused: () => {},
    onFault: (error) => world.faults.push(error),
  });
  const [requests, answers] = [createByteRing(ringBytes), createByteRing(ringBytes)];
  const serverEnd = createRingLink({
    ...{ incoming: requests, outgoing: answers, take: serving.take },
    wake: () => setImmediate(() => workerEnd.woken()),
  });
  const workerEnd = createRingLink({
    ...{ incoming: answers, outgoing: requests, take: forwarding.take },
    wake: () => setImmediate(() => serverEnd.woken()),
  });
  return { world, traders, byRoute: forwarding.handlers.byRoute, made: () => made };
}

/** Room for a request or two. */
const ringBytes = 1024;

function countMade({ buffer, length }: ByteWriter): number {
  const reader = createByteReader(buffer, 0, length);
  let made = 0;
  while (reader.offset < reader.end) {
    const read = readRequest(reader, { lagMs: 0, learn: undefined, takesMade: () => true });
    if ('made' in read) made += 1;
  }
  return made;
}

let sides: readonly Side[];
beforeAll(async () => {
  sides = [await openSide(false), await openSide(true)];
});
afterAll(async () => {
  for (const { world } of sides) {
    expect(world.faults).toEqual([]);
    await world.close();
  }
});

type Heard = { readonly answer: Answer; readonly figures: readonly number[] };

/** Gives the request to its handler at once; resolves with the answer. */
function ask({ world, traders, byRoute }: Side, drawn: Drawn): Promise<Heard> {
  const { route, incoming } = drawn({ traders, now: world.clock.now() });
  const { body, ...head } = incoming;
  const index = rows.findIndex(({ name }) => name === route);
  return new Promise((resolve) => {
    const responder: Responder = {
      failureOf: failureAnswer,
      send: (answer, { weight, orders10s, orders1m }: Readonly<Usage>) =>
        resolve({ answer, figures: [weight, orders10s, orders1m] }),
    };
    const request: IncomingRequest = {
      ...{ ...head, params: {}, startedAt: stopwatchMs(), verdict: 'unknown' },
      readBody: givenBody(body),
    };
    byRoute[index]!(request, responder);
  });
}

/** Several requests in one turn of the event loop. */
const askAll = (side: Side, drawn: readonly Drawn[]): Promise<Heard[]> =>
  Promise.all(drawn.map((each) => ask(side, each)));

async function pass(prng: Prng): Promise<void> {
  const ms = prng.below(4) === 0 ? prng.below(20_000) : 0;
  const ticks = 599_000 + prng.below(2000);
  for (const { world } of sides) {
    if (ms > 0) world.clock.advance(ms);
    await world.price(ticks);
  }
}

test.each([1, 2, 3, 4, 5, 6])('drawn requests, seed %i', async (seed) => {
  const prng = createPrng(seed);
  const known: string[] = [];
  const before = sides[1]!.made();
  let accepted = 0;
  for (let round = 0; round < 200; round += 1) {
    const drawn = Array.from({ length: 1 + prng.below(4) }, () => drawRequest(prng, known));
    const [alone, worked] = await Promise.all(sides.map((side) => askAll(side, drawn)));
    expect(worked).toEqual(alone);
    for (const { answer } of alone!) {
      const [, id] = /^\{"orderId":"([^"]+)"/.exec(answer.text) ?? [];
      if (id !== undefined) known.push(id);
      if (id !== undefined) accepted += 1;
    }
    await pass(prng);
  }
  const sizes = sides.map(({ world }) => sizesOf(world.replica.exchange));
  expect(sizes[1]).toEqual(sizes[0]);
  expect(accepted).toBeGreaterThan(20);
  expect(sides[1]!.made() - before).toBeGreaterThan(60);
});

test('AUTH-7 more orders in one turn than the limits allow', async () => {
  for (const { world } of sides) {
    world.clock.advance(60_000);
    await world.price(600_000);
  }
  const drawn = Array.from({ length: 130 }, (_, i): Drawn => {
    const price = (50_000 + i).toFixed(1);
    const terms = { side: 'BUY', type: 'LIMIT', quantity: '0.001', price };
    return ({ traders, now }) =>
      drawRequest.signed(traders[1]!, now, 'placeOrder', { symbol: 'BTCUSDT', ...terms });
  });
  const before = sides[1]!.made();
  const [alone, worked] = await Promise.all(sides.map((side) => askAll(side, drawn)));
  expect(worked).toEqual(alone);
  const refused = alone!.filter(({ answer }) => answer.status === 429);
  expect(refused).toHaveLength(80);
  expect(sides[1]!.made() - before).toBe(130);
});

test('a market that is listed later', async () => {
  const place: Drawn = ({ traders, now }) =>
    drawRequest.signed(traders[0]!, now, 'placeOrder', {
      ...{ symbol: 'SOLUSDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '100.00' },
    });
  for (const { world } of sides) {
    await world.command({
      kind: 'listMarket',
      symbol: 'SOLUSDT',
      baseAsset: 'SOL',
      tick: { decimals: 2, step: 1 },
      lot: { decimals: 1, step: 1 },
      terms: worldTerms,
      status: 'TRADING',
    });
    world.clock.advance(60_000);
    await world.price(10_000);
  }
  const before = sides[1]!.made();
  for (let time = 0; time < 3; time += 1) {
    const [alone, worked] = await Promise.all(sides.map((side) => askAll(side, [place])));
    expect(alone![0]!.answer.status).toBe(200);
    expect(worked).toEqual(alone);
  }
  // The first answer names the market to the worker.
  expect(sides[1]!.made() - before).toBe(2);
});
