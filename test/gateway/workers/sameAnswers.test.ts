// Goal: gateway workers change no byte of any answer. Method: two exchanges in memory get the same
// requests over raw sockets; one has two workers. Each request is sent twice, so that both workers
// know the keys in the second half. Everything is compared except the date.

import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiKeyByText, sizesOf } from '../../../src/engine/views/exchange.ts';
import { openWorld, type Trader, type World } from '../gatewayWorld.ts';
import {
  type Ask,
  type Asker,
  asks,
  order,
  path,
  plain,
  signed,
  succeeding,
  textOf,
  unread,
} from './answerRequests.ts';
import { exchangeOnce, openLine } from './rawExchange.ts';

type Side = Asker & {
  readonly world: World;
  readonly port: number;
  readonly disabled: Trader;
};

/** Sends the same bytes to the same place on both sides. */
function createBytes(): (size: number) => Buffer {
  let drawn = 0;
  return (size) => {
    drawn += 1;
    const text = hash('sha512', String(drawn), 'buffer');
    return Buffer.concat([text, text]).subarray(0, size);
  };
}

async function openSide(workers: number): Promise<Side> {
  const world = await openWorld({ gateway: { randomBytes: createBytes() } });
  const [trader, disabled, confined] = [
    await world.newTrader(),
    await world.newTrader(),
    await world.newTrader(),
  ];
  const { account, address } = trader;
  const { token } = await world.gateway.tokens.issue({ account, address }, world.clock.now());
  const port = await world.listen(workers);
  const { now } = world.clock;
  return { world, port, now, trader, disabled, confined, token };
}

let sides: readonly Side[];
beforeAll(async () => {
  sides = [await openSide(0), await openSide(2)];
});
afterAll(async () => {
  for (const { world } of sides) {
    world.gateway.streams.close();
    expect(world.faults).toEqual([]);
    await world.close();
  }
});

async function askBoth(ask: Ask): Promise<string[]> {
  const answers: string[] = [];
  for (const side of sides) answers.push(await exchangeOnce(side.port, textOf(side, ask)));
  return answers;
}

/** Lets time pass, with fresh prices. */
async function pass(ms: number): Promise<void> {
  for (const { world } of sides) {
    world.clock.advance(ms);
    await world.price(600_000);
  }
}

test.each(Object.entries(asks))('%s', async (name, ask) => {
  for (let time = 0; time < 4; time += 1) {
    const [alone, worked] = await askBoth(ask);
    expect(alone).toMatch(/^HTTP\/1\.[01] \d{3} /);
    if (time === 0 && succeeding.has(name)) expect(alone).toMatch(/^HTTP\/1\.[01] 20[01] /);
    expect(worked).toBe(alone);
    await pass(15_000);
  }
});

test.each(Object.entries(unread))('%s', async (_name, ask) => {
  const [alone, worked] = (await askBoth(ask)).map((text) => text.replace(/"timestamp":\d+/, ''));
  expect(alone).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(worked).toBe(alone);
});

test('a disabled key and a deleted key give no access', async () => {
  const ask = signed('GET', '/fapi/v2/balance', {}, { by: ({ disabled }) => disabled });
  const before = await askBoth(ask);
  expect(before[0]).toMatch(/^HTTP\/1\.1 200 /);
  for (const { world, disabled } of sides) await world.setKeyStatus(disabled, 'disabled');
  const after = await askBoth(ask);
  expect(after[0]).toMatch(/^HTTP\/1\.1 401 /);
  for (const { world, disabled } of sides) {
    const { account, apiKey } = disabled;
    const { id, createdAt } = apiKeyByText(world.replica.exchange, apiKey)!;
    await world.command({ kind: 'deleteApiKey', account, id, createdAt });
    world.secretStore.removeKey(apiKey);
  }
  const last = await askBoth(ask);
  expect(last[0]).toContain('"code":-2015');
  for (const [alone, worked] of [before, after, last]) expect(worked).toBe(alone);
});

test('pipelined requests beyond every limit get the same answers in order', async () => {
  await pass(60_000 - (sides[0]!.world.clock.now() % 60_000));
  const heard = await Promise.all(
    sides.map(async (side) => {
      const line = await openLine(side.port);
      const sent = Array.from({ length: 120 }, (_, i): Ask => {
        const newClientOrderId = `n${i}`;
        if (i % 2 === 0) return signed('POST', path, { ...order, newClientOrderId });
        return plain('GET', '/fapi/v1/exchangeInfo');
      });
      for (let i = 0; i < 600; i += 1) sent.push(plain('GET', '/fapi/v1/exchangeInfo'));
      line.send(sent.map((ask) => textOf(side, ask)).join(''));
      const answers: string[] = [];
      for (const _ of sent) answers.push(await line.next());
      line.socket.destroy();
      return answers;
    }),
  );
  const [alone, worked] = heard;
  expect(worked).toEqual(alone);
  const orders = worked!.filter((_, i) => i < 120 && i % 2 === 0);
  const placed = orders.filter((text) => text.startsWith('HTTP/1.1 200'));
  expect(placed).toHaveLength(50);
  expect(orders[50]).toMatch(/^HTTP\/1\.1 429 /);
  expect(worked!.at(-1)).toMatch(/^HTTP\/1\.1 429 /);
  const names = placed.map((text) => /"clientOrderId":"(\w+)"/.exec(text)?.[1]);
  expect(names).toEqual(Array.from({ length: 50 }, (_, i) => `n${2 * i}`));
  const states = sides.map(({ world }) => sizesOf(world.replica.exchange).orders);
  expect(states[1]).toBe(states[0]);
});
