// History of the real program. Goal: whatever happens to the database or to the process, the tables
// end as the log alone makes them, and trading continues. Method: accounts trade over HTTP while
// the database is stopped and started, or the process is killed; then the tables are compared, row
// by row, with a rebuild.

import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { readHistorySums } from '../../src/bin/historySums.ts';
import { verifyDirectory } from '../../src/bin/verify.ts';
import type { Client } from '../../src/client/client.ts';
import { createClient } from '../../src/client/createClient.ts';
import { createPrng } from '../../src/std/prng.ts';
import {
  createDatabase,
  eachDatabase,
  findTemplate,
  type TestDatabase,
} from '../fixtures/eachDatabase.ts';
import { startPostgresServer } from '../fixtures/postgresServer.ts';
import { runEvermark } from '../fixtures/runEvermark.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { createWallet } from '../identity/wallet.ts';
import { createRecoveryTrader, type RecoveryTrader } from '../recovery/recoveryTrader.ts';
import { dumpHistory, dumpRebuilt } from './dumpHistory.ts';

const seed = 20_261_121;
const symbol = 'BTCUSDT';
const flags = [...quietFlags, '--log-level', 'warn'];
// Small segments and frequent snapshots, so that their changes happen in the middle.
flags.push('--segment-size', '1', '--snapshot-every', '1000', '--rate-limit-scale', '1000');

const startOn = (data: string, databaseUrl: string | undefined): Promise<RunningServer> =>
  startServer({
    data,
    flags,
    ...(databaseUrl !== undefined && { environment: { DATABASE_URL: databaseUrl } }),
  });

async function setPrices({ operator }: RunningServer): Promise<void> {
  await operator.setIndexPrice({ symbol, price: '100000' });
  await operator.setIndexPrice({ symbol: 'ETHUSDT', price: '4000' });
}

/** An account with money and a key. */
async function openReader(server: RunningServer): Promise<Client> {
  const wallet = createWallet(4711);
  const { address } = wallet;
  const { native } = createClient({ baseUrl: server.http });
  const { nonce, timestamp } = await native.getLoginNonce({ address });
  const signature = await wallet.sign({ chainId: 43113, address, nonce, timestamp });
  const { token } = await native.login({ address, nonce, timestamp, signature });
  await server.operator.creditAccount({ address, amount: '100000', reference: 'reader' });
  const key = await createClient({ baseUrl: server.http, token }).native.createApiKey({});
  return createClient({ baseUrl: server.http, apiKey: key.api_key, secretKey: key.secret_key });
}

async function openTraders(server: RunningServer): Promise<readonly RecoveryTrader[]> {
  await setPrices(server);
  const traders = Array.from({ length: 3 }, (_, number) =>
    createRecoveryTrader(number, createPrng(seed + number)),
  );
  for (const trader of traders) {
    trader.connect(server);
    await trader.login();
  }
  return traders;
}

/** Keeps the traders busy until it is stopped, or the server is gone. */
function keepTrading(traders: readonly RecoveryTrader[]): { readonly end: () => Promise<void> } {
  let ended = false;
  const busy = Promise.all(
    traders.map(async (trader) => {
      while (!ended && (await trader.act())) {}
    }),
  );
  return {
    end: async () => {
      ended = true;
      await busy;
    },
  };
}

const acknowledgedBy = (traders: readonly RecoveryTrader[]): number =>
  traders.reduce((sum, trader) => sum + trader.counts().acknowledged, 0);

/** Waits until so many more requests have been acknowledged, however fast the machine is. */
async function untilTraded(traders: readonly RecoveryTrader[], more: number): Promise<void> {
  const enough = acknowledgedBy(traders) + more;
  while (acknowledgedBy(traders) < enough) await wait(10);
}

async function metricsOf({ http }: RunningServer): Promise<(name: string) => number> {
  const text = await (await fetch(`${http}/metrics`)).text();
  const lines = new Map(text.split('\n').map((line) => line.split(' ') as [string, string]));
  return (name) => Number(lines.get(`evermark_${name}`));
}

/** Waits until the tables contain what is durable by now, while trading continues. */
async function untilReported(server: RunningServer): Promise<void> {
  let durable: number | undefined;
  for (;;) {
    const metric = await metricsOf(server);
    durable ??= metric('log_position');
    if (metric('reader_position{reader="history"}') >= durable) return;
    await wait(20);
  }
}

const placeOne = (client: Client, price: string): Promise<{ readonly orderId: unknown }> =>
  client.fapi.placeOrder({
    ...{ symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' },
    ...{ quantity: '0.001', price },
  } as never) as never;

/** The condition at every end: the tables equal those of a rebuild, and sum up to the balances. */
async function expectHistory(
  data: string,
  database: Pick<TestDatabase, 'databaseUrl'>,
): Promise<void> {
  const directory = findDataDirectory(data);
  const where = { databaseUrl: database.databaseUrl, directory: data };
  const dump = await dumpHistory(where);
  expect(dump.rows.fills.length).toBeGreaterThan(50);
  expect(dump).toEqual(await dumpRebuilt(directory, dump.position));
  const verified = verifyDirectory(directory, await readHistorySums(where));
  expect(verified).toMatchObject({ ok: true, history: { position: dump.position, ok: true } });
}

eachDatabase('a read finds every earlier write', async ({ databaseUrl }) => {
  using data = createTemporaryDirectory();
  const server = await startOn(data.path, databaseUrl);
  await setPrices(server);
  const client = await openReader(server);
  for (let round = 1; round <= 20; round += 1) {
    const { orderId } = await placeOne(client, `${90_000 + round}.0`);
    const orders = (await client.fapi.getAllOrders({ symbol } as never)) as { orderId: unknown }[];
    expect(orders.at(-1)!.orderId).toEqual(orderId);
    expect(orders).toHaveLength(round);
  }
  expect(await server.stop()).toBe(0);
});

eachDatabase(
  'after a kill in the middle history continues at the position of the tables',
  async ({ databaseUrl }) => {
    using data = createTemporaryDirectory();
    let server = await startOn(data.path, databaseUrl);
    const traders = await openTraders(server);
    for (let kill = 1; kill <= 2; kill += 1) {
      const trading = keepTrading(traders);
      await untilTraded(traders, 150 * kill);
      await server.kill();
      await trading.end();
      server = await startOn(data.path, databaseUrl);
      for (const trader of traders) trader.connect(server);
      await setPrices(server);
    }
    await untilReported(server);
    expect(await server.stop()).toBe(0);
    await expectHistory(data.path, { databaseUrl });
  },
);

test('while PostgreSQL is away trading answers and reads do not, and no row is lost', async () => {
  using data = createTemporaryDirectory();
  const postgres = await startPostgresServer({ template: await findTemplate() });
  try {
    const databaseUrl = await postgres.createDatabase();
    const server = await startOn(data.path, databaseUrl);
    const traders = await openTraders(server);
    const client = await openReader(server);
    await placeOne(client, '90000.0');
    for (const end of [postgres.stop, postgres.kill]) {
      const trading = keepTrading(traders);
      await untilTraded(traders, 100);
      await end();
      await untilTraded(traders, 100);
      await trading.end();
      // The exchange's time continues without commands, and so does the lag.
      const isBehind = async (): Promise<boolean> => {
        const metric = await metricsOf(server);
        const [batches, seconds] = ['batches', 'seconds'].map((unit) =>
          metric(`reader_lag_${unit}{reader="history"}`),
        );
        return batches! > 10 && seconds! > 1 && metric('history_failing') === 1;
      };
      await expect.poll(isBehind).toBe(true);
      // Trading alone needs no history.
      expect((await placeOne(client, '90001.0')).orderId).toBeDefined();
      const read = client.fapi.getAllOrders({ symbol } as never);
      await expect(read).rejects.toMatchObject({ status: 500, code: -1000 });
      await postgres.start();
      const going = keepTrading(traders);
      await untilReported(server);
      await going.end();
    }
    const orders = (await client.fapi.getAllOrders({ symbol } as never)) as unknown[];
    expect(orders).toHaveLength(3);
    expect(server.errors().match(/Trading goes on/g)).toHaveLength(2);
    expect(server.errors().match(/answers again/g)).toHaveLength(2);
    expect(await server.stop()).toBe(0);
    await expectHistory(data.path, { databaseUrl });
  } finally {
    await postgres.remove();
  }
});

test('the program starts without its database and refuses one with another log', async () => {
  using data = createTemporaryDirectory();
  using other = createTemporaryDirectory();
  const postgres = await startPostgresServer({ template: await findTemplate() });
  try {
    const databaseUrl = await postgres.createDatabase();
    await postgres.stop();
    const server = await startOn(data.path, databaseUrl);
    const traders = await openTraders(server);
    const trading = keepTrading(traders);
    await untilTraded(traders, 150);
    await trading.end();
    await postgres.start();
    const going = keepTrading(traders);
    await untilReported(server);
    await going.end();
    await server.stop();
    await expectHistory(data.path, { databaseUrl });
    await expect(startOn(other.path, databaseUrl)).rejects.toThrow(
      /they belong to another deployment/,
    );
  } finally {
    await postgres.remove();
  }
});

test('an operator moves history to PostgreSQL, and verify compares both', async () => {
  using data = createTemporaryDirectory();
  const server = await startOn(data.path, undefined);
  const traders = await openTraders(server);
  const trading = keepTrading(traders);
  await untilTraded(traders, 300);
  await trading.end();
  const databaseUrl = await createDatabase();
  const environment = { DATABASE_URL: databaseUrl };
  const type = (words: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
    runEvermark(server, [...words, '--data', data.path], variables);
  // Not beside a running exchange.
  const early = await type(['history', 'rebuild'], environment);
  expect(early).toMatchObject({ code: 1 });
  expect(early.errors).toContain('is in use by another process');
  expect(await server.stop()).toBe(0);
  const rebuilt = await type(['history', 'rebuild'], environment);
  expect(rebuilt).toMatchObject({ code: 0, errors: '' });
  expect(rebuilt.printed).toContain('history up to batch');
  const again = await type(['history', 'rebuild'], environment);
  expect(again).toMatchObject({ code: 1 });
  expect(again.errors).toContain('nothing was changed');
  const where = { databaseUrl: undefined, directory: data.path };
  expect(await dumpHistory({ ...where, databaseUrl })).toEqual(await dumpHistory(where));
  for (const variables of [{}, environment]) {
    const { code, printed } = await type(['verify'], variables);
    expect(code).toBe(0);
    expect(JSON.parse(printed)).toMatchObject({ ok: true, history: { ok: true } });
  }
  const moved = await startOn(data.path, databaseUrl);
  await untilReported(moved);
  expect(await moved.stop()).toBe(0);
  await expectHistory(data.path, { databaseUrl });
});
