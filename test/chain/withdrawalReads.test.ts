// What a node is asked about withdrawals, and which of its answers count.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Hex } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { createRpcNode } from '../../src/chain/rpc/createRpcNode.ts';

const vault = `0x${'22'.repeat(20)}` as const;
const ids = ['1', '2'].map((digit) => `0x${digit.repeat(32)}` as const);

const address = 'AB'.repeat(20);
const units = 'f4240';
const word = (digits: string): string => digits.padStart(64, '0');
/** A record as the contract gives it, and in one word. */
const wide = (state: string): string => `0x${word(address)}${word(units)}${word(state)}`;
const narrow = (state: string): string => word(`${state}${units.padStart(16, '0')}${address}`);
const both = `0x${narrow('3')}${narrow('0')}`;
const records = ['queued', 'none'].map((state) => ({
  ...{ to: `0x${address.toLowerCase()}`, units: 1_000_000n, state },
}));

type Call = { readonly params: readonly [{ readonly to?: Hex; readonly data: Hex }, string] };

/** A node that answers each call of a request so, or ends the connection. */
async function openNode(answer: (call: Call, at: number) => object | undefined) {
  const requests: Call[][] = [];
  const server = createServer(async (request, response) => {
    const calls = (await json(request)) as Call[];
    requests.push(calls);
    const answers = calls.map(answer);
    if (answers.includes(undefined)) request.socket.destroy();
    else response.end(JSON.stringify(answers.map((each, id) => ({ id, ...each }))));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const node = createRpcNode({ url, vault });
  return { requests, ask: () => node.payments('latest', ids) };
}

test('VLT-4 one call asks for all withdrawals', async () => {
  const { requests, ask } = await openNode(() => ({ result: both }));
  expect(await ask()).toEqual(records);
  expect(requests).toEqual([
    [expect.objectContaining({ params: [{ data: expect.any(String) }, 'latest'] })],
  ]);
});

test('VLT-4 a node that refuses this call is asked for each withdrawal', async () => {
  const { requests, ask } = await openNode(({ params: [{ to }] }, at) =>
    to === vault ? { result: wide(at === 0 ? '3' : '0') } : { error: { code: -32602 } },
  );
  expect(await ask()).toEqual(records);
  expect(requests.map(({ length }) => length)).toEqual([1, 2]);
});

test('VLT-4 an answer that is no record of a withdrawal is a failure of its node', async () => {
  const record = wide('3');
  const longer = [`${record}00`, record.slice(0, -2), `0x1${record.slice(3)}`];
  const others = ['0x', record.replace(/3$/, '5'), record.replace(/3$/, 'g')];
  const many = [`${both}00`, both.slice(0, -64), `0x1${both.slice(3)}`, both.replace('f', 'g')];
  for (const result of [...longer, ...others, ...many, `0x${narrow('3')}${narrow('5')}`]) {
    const { ask } = await openNode(() => ({ result }));
    await expect(ask(), result).rejects.toThrow('is no record of a withdrawal');
  }
});

test('VLT-4 a node that is away is asked once', async () => {
  const { requests, ask } = await openNode(() => undefined);
  await expect(ask()).rejects.toThrow('fetch failed');
  expect(requests.length).toBe(1);
});
