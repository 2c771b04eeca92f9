// Three processes on one log. Goal: a client gets the same exchange from each of them, and when the
// one that writes is killed under load, the others go on without a restart, lose nothing that was
// acknowledged and execute nothing twice. Method: one deployment lives through all of it.

import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { verifyDirectory } from '../../src/bin/verify.ts';
import type { Client } from '../../src/client/client.ts';
import { createClient } from '../../src/client/createClient.ts';
import { createPrng } from '../../src/std/prng.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { createWallet } from '../identity/wallet.ts';
import { makeDatabase, openServer } from '../log/postgres/openServers.ts';
import { openArmedAccount } from './armedAccounts.ts';
import { logOnAt } from './logOnAt.ts';
import { openOrderCounts } from './orderCounts.ts';
import { createRecoveryTrader } from './recoveryTrader.ts';

const flags = [...quietFlags, '--replicated-storage', '--segment-size', '1', '--log-level', 'info'];
flags.push('--snapshot-every', '1000', '--rate-limit-scale', '1000');

/** For what takes a few seconds on an idle machine. */
const waitMs = 600_000;

type Health = { readonly role?: string; readonly position: number };

async function healthOf({ http }: RunningServer): Promise<Health> {
  return (await fetch(`${http}/health`)).json() as Promise<Health>;
}

async function setPrices({ operator }: RunningServer): Promise<void> {
  await operator.setIndexPrice({ symbol: 'BTCUSDT', price: '100000' });
  await operator.setIndexPrice({ symbol: 'ETHUSDT', price: '4000' });
  await operator.setIndexPrice({ symbol: 'AVAXUSDT', price: '30' });
}

/**
 * An account that logs in at the first process, and makes a key at the second one; gives its client
 * at each process.
 */
async function openAccount(
  server: RunningServer,
  other: RunningServer,
): Promise<(at: RunningServer) => Client> {
  const { address, sign } = createWallet(0xbeef);
  const { native } = createClient({ baseUrl: server.http });
  const { nonce, timestamp } = await native.getLoginNonce({ address });
  const signature = await sign({ chainId: 43113, address, nonce, timestamp });
  const { token } = await native.login({ address, nonce, timestamp, signature });
  await server.operator.creditAccount({ address, amount: '100000', reference: 'one' });
  const signed = createClient({ baseUrl: other.http, token });
  const key = await signed.native.createApiKey({ label: 'all' });
  const { api_key: apiKey, secret_key: secretKey } = key;
  return ({ http }) => createClient({ baseUrl: http, token, apiKey, secretKey });
}

/** A login and a key are good at any process from the moment in which they were acknowledged. */
async function useAtOnce(
  [a, b, c]: readonly [RunningServer, RunningServer, RunningServer],
  clientAt: (at: RunningServer) => Client,
): Promise<void> {
  for (let wallet = 0; wallet < 5; wallet += 1) {
    const { address, sign } = createWallet(0xcafe + wallet);
    const { native } = createClient({ baseUrl: a.http });
    const { nonce, timestamp } = await native.getLoginNonce({ address });
    const signature = await sign({ chainId: 43113, address, nonce, timestamp });
    const { token } = await native.login({ address, nonce, timestamp, signature });
    const account = await createClient({ baseUrl: c.http, token }).native.getNativeAccount();
    expect(account).toMatchObject({ address });
    const made = await clientAt(b).native.createApiKey({ label: 'short' });
    const { id, api_key: apiKey, secret_key: secretKey } = made;
    // On a trading socket, where nothing has asked for the key before.
    if (wallet % 2 === 0) await logOnAt(c, { apiKey, secretKey });
    const { fapi } = createClient({ baseUrl: c.http, apiKey, secretKey });
    await fapi.getBalanceV2();
    await clientAt(b).native.deleteApiKey({ id });
  }
}

/** What a public stream of this process sends from now on. */
async function listenTo({ http }: RunningServer, name: string): Promise<readonly Update[]> {
  const got: Update[] = [];
  const socket = new WebSocket(`${http.replace('http:', 'ws:')}/ws/${name}`);
  socket.on('message', (data) => void got.push(JSON.parse(String(data)) as Update));
  await new Promise((resolve) => socket.once('open', resolve));
  return got;
}

const order = (price: string, more: object = {}) =>
  ({
    ...{ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.001' },
    ...{ price, ...more },
  }) as never;

/** In a market where no one else trades. */
const lonely = order('29', { symbol: 'AVAXUSDT', quantity: '1' });

const inLonely = { symbol: 'AVAXUSDT' } as never;

/** A listen key that one process makes is good at another one at once, and ends at all. */
async function listenAtAny(
  [a, b, c]: readonly [RunningServer, RunningServer, RunningServer],
  clientAt: (at: RunningServer) => Client,
): Promise<void> {
  const { listenKey } = await clientAt(c).fapi.startListenKey();
  const socket = new WebSocket(`${b.http.replace('http:', 'ws:')}/ws/${listenKey}`);
  const got: { readonly e: string }[] = [];
  socket.on('message', (data) => void got.push(JSON.parse(String(data)) as { e: string }));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await new Promise((resolve) => socket.once('open', resolve));
  await clientAt(a).fapi.setLeverage({ symbol: 'AVAXUSDT', leverage: '7' } as never);
  await expect.poll(() => got.map(({ e }) => e)).toContain('ACCOUNT_CONFIG_UPDATE');
  // Before this process has heard of the key, it would make another one, and the later one counts.
  const kept = (): Promise<unknown> =>
    clientAt(a)
      .fapi.keepListenKey()
      .catch(({ code }) => code);
  await expect.poll(kept, { timeout: waitMs }).not.toBe(-1125);
  expect(await clientAt(a).fapi.startListenKey()).toEqual({ listenKey });
  await clientAt(a).fapi.closeListenKey();
  await closed;
  expect(got.at(-1)).toMatchObject({ e: 'listenKeyExpired', listenKey });
  await expect
    .poll(
      () =>
        clientAt(c)
          .fapi.keepListenKey()
          .catch(({ code }) => code),
      { timeout: waitMs },
    )
    .toBe(-1125);
}

/** The one of these that writes, when there is one. */
async function untilOneWrites(servers: readonly RunningServer[]): Promise<RunningServer> {
  for (const began = Date.now(); Date.now() - began < waitMs; ) {
    for (const server of servers) {
      if ((await healthOf(server)).role === 'sequencer') return server;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('no process has taken the lease within a minute');
}

test('three processes are one exchange, and two go on when the one that writes is killed', async () => {
  using first = createTemporaryDirectory();
  using second = createTemporaryDirectory();
  using third = createTemporaryDirectory();
  const url = await makeDatabase(await openServer());
  const environment = { EVERMARK_CLUSTER_URL: url, EVERMARK_MASTER_KEY: '5a'.repeat(32) };
  const start = (data: string, until: 'ready' | 'follows') =>
    startServer({ data, flags, environment, until });
  const servers: RunningServer[] = [];
  try {
    const a = await start(first.path, 'ready');
    servers.push(a);
    await setPrices(a);
    const [b, c] = await Promise.all([start(second.path, 'follows'), start(third.path, 'follows')]);
    servers.push(b, c);
    const clientAt = await openAccount(a, b);
    expect([(await healthOf(a)).role, (await healthOf(b)).role]).toEqual(['sequencer', 'follower']);
    const metrics = await (await fetch(`${b.http}/metrics`)).text();
    expect(metrics).toContain('evermark_cluster_sequencer 0');
    expect(metrics).toMatch(/evermark_cluster_lag_seconds \d/);
    await serveAlike([a, b, c], clientAt);
    await refuseAtFollower(b, clientAt(b));
    await useAtOnce([a, b, c], clientAt);
    await listenAtAny([a, b, c], clientAt);
    const counts = await openOrderCounts(clientAt(b));
    await counts.through([a, b, c, b, c, a, c, a, b]);

    const armed = await Promise.all([a, b, c].map(openArmedAccount));
    const statuses = (at: RunningServer): Promise<string[]> =>
      Promise.all(armed.map(({ statusAt }) => statusAt(at)));
    expect(await statuses(b)).toEqual(['NEW', 'NEW', 'NEW']);

    // Two accounts trade at the followers, and one counts its orders.
    const traders = [b, c].map((server, number) => {
      const trader = createRecoveryTrader(number, createPrng(71 + number));
      trader.connect(a);
      return { trader, server };
    });
    for (const { trader, server } of traders) {
      await trader.login();
      trader.connect(server);
    }
    let over = false;
    const counted = { placed: 0, unknown: 0 };
    const count = async (client: Client): Promise<void> => {
      while (!over) {
        await client.fapi.placeOrder(lonely).then(
          () => {
            counted.placed += 1;
          },
          ({ code }) => {
            // 429: it was not executed.
            if (code !== -1003) counted.unknown += 1;
          },
        );
      }
    };
    const before = ((await clientAt(a).fapi.getOpenOrders(inLonely)) as unknown[]).length;
    const trade = async ({ trader }: (typeof traders)[number]): Promise<void> => {
      while (!over) await trader.act();
    };
    const working = [...traders.map(trade), count(clientAt(b)), count(clientAt(c))];
    const acknowledged = (): number =>
      traders.reduce((sum, { trader }) => sum + trader.counts().acknowledged, counted.placed);
    await expect.poll(acknowledged, { timeout: waitMs }).toBeGreaterThan(100);
    await a.kill();
    const next = await untilOneWrites([b, c]);
    const since = acknowledged();
    await expect.poll(acknowledged, { timeout: waitMs }).toBeGreaterThan(since + 60);
    over = true;
    await Promise.all(working);
    expect([b.ended(), c.ended()]).toEqual([false, false]);
    // COD-6: only the connections of the process that was killed have ended.
    expect(await statuses(next)).toEqual(['CANCELED', 'NEW', 'NEW']);
    // A new holder of the lease goes on with what the former one has counted.
    await counts.through([next, b, c]);

    // It comes back, and follows.
    const again = await start(first.path, 'follows');
    servers.push(again);
    await setPrices(next);
    for (const { trader } of traders) {
      trader.connect(again);
      await trader.check();
    }
    for (const server of [b, c, again]) {
      const open = (await clientAt(server).fapi.getOpenOrders(inLonely)) as unknown[];
      expect(open.length - before).toBeGreaterThanOrEqual(counted.placed);
      expect(open.length - before).toBeLessThanOrEqual(counted.placed + counted.unknown);
    }
    expect(await next.operator.getInvariants()).toMatchObject({ ok: true });
    await serveAlike([next, again], clientAt);
    const other = next === b ? c : b;
    expect(await again.stop()).toBe(0);
    await other.kill();
    // COD-6: its connections end within eight seconds.
    const wanted = ['CANCELED', ...[b, c].map((each) => (each === other ? 'CANCELED' : 'NEW'))];
    await expect.poll(() => statuses(next), { timeout: waitMs }).toEqual(wanted);
    expect(await next.stop()).toBe(0);
    const verified = [first, second, third].map(({ path }) =>
      verifyDirectory(findDataDirectory(path)),
    );
    for (const each of verified) expect(each).toMatchObject({ ok: true });
  } finally {
    for (const server of servers) if (!server.ended()) await server.kill();
  }
});

/** An order at any process is the same at each of them, at once, and so are the streams. */
async function serveAlike(
  servers: readonly RunningServer[],
  clientAt: (at: RunningServer) => Client,
): Promise<void> {
  const heard = await Promise.all(servers.map((server) => listenTo(server, 'btcusdt@depth@100ms')));
  const names: string[] = [];
  for (const [at, server] of servers.entries()) {
    const name = `alike-${Date.now()}-${at}`;
    names.push(name);
    const placed = await clientAt(server).fapi.placeOrder(
      order(String(97_000 + at), { newClientOrderId: name }),
    );
    const asked = { symbol: 'BTCUSDT', origClientOrderId: name } as never;
    const found = await Promise.all(servers.map((each) => clientAt(each).fapi.getOrder(asked)));
    for (const each of found) {
      expect(each).toEqual(found[0]);
      expect(each).toMatchObject({ orderId: (placed as { orderId: unknown }).orderId });
    }
    const last = servers.at(at - 1)!;
    await clientAt(last).fapi.cancelOrder(asked);
    for (const each of servers) {
      expect(await clientAt(each).fapi.getOrder(asked)).toMatchObject({ status: 'CANCELED' });
    }
  }
  for (const [at, server] of servers.entries()) {
    await clientAt(server).fapi.placeOrder(order(String(95_000 + at)));
  }
  const depths = await Promise.all(
    servers.map((each) => clientAt(each).fapi.getOrderBook({ symbol: 'BTCUSDT' })),
  );
  const { lastUpdateId } = depths[0]!;
  for (const depth of depths) expect(depth).toMatchObject({ lastUpdateId });
  // Each stream comes to the number that REST has everywhere, in an unbroken chain.
  const lastOf = (messages: readonly Update[]): unknown => messages.at(-1)?.u;
  const wanted = heard.map(() => lastUpdateId);
  await expect.poll(() => heard.map(lastOf), { timeout: waitMs }).toEqual(wanted);
  for (const messages of heard) {
    expect(levelsOf(messages)).toEqual(levelsOf(heard[0]!));
    const chain = messages.slice(1).map(({ pu }) => pu);
    expect(chain).toEqual(messages.slice(0, -1).map(({ u }) => u));
  }
}

type Update = { readonly u: number; readonly pu: number; readonly b: readonly string[][] };

/** The bids that a stream has shown and not taken away. */
function levelsOf(messages: readonly Update[]): Record<string, string> {
  const levels = new Map<string, string>();
  for (const [price, lots] of messages.flatMap(({ b }) => b)) levels.set(price!, lots!);
  return Object.fromEntries([...levels].filter(([, lots]) => Number(lots) > 0).sort());
}

/** What only the process that writes can do is refused elsewhere, and changes nothing. */
async function refuseAtFollower(follower: RunningServer, client: Client): Promise<void> {
  const refused = { status: 429, code: 'TOO_MANY_REQUESTS' };
  const { operator } = follower;
  await expect(
    operator.setIndexPrice({ symbol: 'BTCUSDT', price: '100001' }),
  ).rejects.toMatchObject(refused);
  const unknown = { symbol: 'BTCUSDT', origClientOrderId: 'never' } as never;
  await expect(client.fapi.cancelOrder(unknown)).rejects.toMatchObject({ code: -2013 });
}
