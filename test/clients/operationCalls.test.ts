// Every operation of FAPI by both stock clients, against the running program: the request that the
// client makes is the operation's, and what it gets is what the operations table says it answers.

import { setTimeout } from 'node:timers/promises';
import Value from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fapiOperations } from '../../src/api/fapi/fapiOperations.ts';
import { type OperationCalls, operationCalls, type Stage } from './operationCalls.ts';
import {
  expectInvariants,
  openStockWorld,
  roundMark,
  type StockTrader,
  type StockWorld,
} from './stockWorld.ts';
import { type RequestWatch, watchRequests } from './watchRequests.ts';

type Name = keyof OperationCalls;
type ClientName = 'ccxt' | 'binance';

const names = Object.keys(fapiOperations) as Name[];
const clients: readonly ClientName[] = ['ccxt', 'binance'];
/** What always fails, with the words it fails with. */
const refusedAlways = {
  // Retail price improvement does not exist (spec); its route answers as any path without one.
  getRpiDepth: 'Not found.',
  movePositionMargin: 'Isolated margin is not available on this API.',
} as const satisfies Partial<Record<Name, string>>;

let world: StockWorld;
let traders: Record<ClientName, StockTrader>;
let stages: Record<ClientName, Stage>;
let watch: RequestWatch;

beforeAll(async () => {
  world = await openStockWorld();
  traders = {
    ccxt: await world.openTrader('50000'),
    binance: await world.openTrader('50000'),
  };
  const low = Math.floor((await roundMark(traders.ccxt, 'BTCUSDT', 100)) * 0.9);
  stages = {
    ccxt: { ...traders.ccxt, low },
    binance: { ...traders.binance, low },
  };
  watch = watchRequests();
});

afterAll(async () => {
  watch?.stop();
  await world?.close();
});

const saysBehind = /History is catching up/;

/** Makes the call and gives the answer as it came over the wire. */
async function answerOf(client: ClientName, name: Name): Promise<unknown> {
  const call = operationCalls[name][client];
  if (typeof call === 'string') throw new Error(`${client} ${call}`);
  const stage = stages[client];
  let result: unknown;
  for (;;) {
    try {
      result = await call(stage);
      break;
    } catch (error) {
      // On a busy machine history is behind for a moment (HIST-3).
      if (!saysBehind.test(`${error} ${JSON.stringify(error)}`)) throw error;
      await setTimeout(100);
    }
  }
  return client === 'ccxt' ? JSON.parse(stage.ccxt.last_http_response!) : result;
}

describe.each(clients)('%s', (client) => {
  const served = names.filter(
    (name) => !(name in refusedAlways) && typeof operationCalls[name][client] !== 'string',
  );

  test.each(served)('%s', async (name) => {
    const row = fapiOperations[name];
    watch.take();
    const answer = await answerOf(client, name);
    expect(watch.take()).toContain(`${row.method} ${row.path}`);
    expect(Value.Errors(row.response, answer)).toEqual([]);
  });

  const refused = Object.entries(refusedAlways) as [keyof typeof refusedAlways, string][];

  test.each(refused)('%s fails with an error that the client understands', async (name, words) => {
    const { method, path } = fapiOperations[name];
    watch.take();
    const failure = await answerOf(client, name).then(
      () => undefined,
      (error: { readonly message?: string }) => error,
    );
    expect(watch.take()).toEqual([`${method} ${path}`]);
    expect(failure?.message).toContain(words);
  });
});

test('the table omits only operations that the client has no method for', () => {
  const missing = names.flatMap((name) =>
    clients
      .filter((client) => typeof operationCalls[name][client] === 'string')
      .map((client) => `${client} ${operationCalls[name][client]}: ${name}`),
  );
  expect(missing).toEqual(['binance has only v2 and v3: getPositionRiskV1']);
});

test('BAL-2 after all calls the operator sees every unit of money', async () => {
  for (const { binance } of Object.values(traders)) {
    await binance.cancelAllOpenOrders({ symbol: 'BTCUSDT' });
    await binance.cancelAllAlgoOpenOrders({ symbol: 'BTCUSDT' });
  }
  const { holdings } = await expectInvariants(world, Object.values(traders));
  // Nothing was filled, and nothing is frozen any more.
  for (const { wallet, available } of holdings) expect(available).toBe(wallet);
});
