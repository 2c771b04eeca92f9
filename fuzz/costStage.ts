// Two whole exchanges for the target of cost, each in its own process, so that only the trading
// thread is measured. The wide one has limits that no request reaches, accounts, keys and a deep
// book. The narrow one has the limits of the interface and callers who have used them up.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '../src/client/createClient.ts';
import type { Credentials } from '../src/client/rowRequest.ts';
import { must } from '../src/std/assert.ts';
import type { Stage } from '../test/api/badInputStage.ts';
import type { BareExchange } from '../test/fixtures/bareExchange.ts';
import { testWorkers } from '../test/fixtures/listenWithWorkers.ts';
import {
  operatorToken,
  quietFlags,
  type RunningServer,
  startServer,
} from '../test/fixtures/startServer.ts';
import { createTemporaryDirectory } from '../test/fixtures/temporaryDirectory.ts';
import type { Trader } from '../test/fixtures/twoTraders.ts';
import { createWallet } from '../test/identity/wallet.ts';
import type { CostTarget } from './costMeter.ts';

export type CostStage = {
  /** The parts of valid requests; its exchange is the wide one. */
  readonly stage: Stage;
  readonly wide: CostTarget;
  readonly wideOperator: CostTarget;
  readonly narrow: CostTarget;
  /** Whose pings the budgets count in: an exchange like the wide one, without gateway workers. */
  readonly plain: CostTarget;
  /** A server without a program. */
  readonly bare: CostTarget;
  readonly narrowServer: RunningServer;
  /** The deep book: this many orders of one size, in BTC. */
  readonly offers: { readonly count: number; readonly size: number };
  /** A key of the narrow exchange. */
  readonly narrowKey: Trader;
  readonly operatorToken: string;
  /** A disabled key of alice. */
  readonly disabled: { readonly apiKey: string; readonly secretKey: string };
  /** States the price again when it has become old. */
  readonly pass: () => Promise<void>;
  /** Cancels alice's orders. */
  readonly tidy: () => Promise<void>;
  /** Alice logs in again: a case has ended her session. */
  readonly renewSession: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type CostStageOptions = {
  /** Accounts with as many orders as one account may have, each of the smallest size. */
  readonly makers: number;
};

const symbol = 'BTCUSDT';
const ordersPerMaker = 200;
const offerSize = 0.001;
const perBatch = 5;
const priceAgeMs = 2000;
const boundless = ['--rate-limit-scale', '1000000'];

export async function openCostStage({ makers }: CostStageOptions): Promise<CostStage> {
  const directories = [createTemporaryDirectory(), createTemporaryDirectory()] as const;
  const plainDirectory = createTemporaryDirectory();
  const servers: RunningServer[] = [];
  const bareServer = fork(join(import.meta.dirname, 'bareServer.ts'));
  const end = (): void => {
    bareServer.kill('SIGKILL');
    for (const { pid, ended } of servers) if (!ended()) process.kill(pid, 'SIGKILL');
  };
  // Also when this process is ended early.
  process.once('exit', end);
  const close = async (): Promise<void> => {
    process.off('exit', end);
    bareServer.kill();
    await Promise.all(servers.map((server) => server.stop()));
    for (const directory of [...directories, plainDirectory]) directory[Symbol.dispose]();
  };
  const startPlain = async (): Promise<RunningServer> => {
    const flags = [...quietFlags, ...boundless, '--workers', '0'];
    const server = await startServer({ data: plainDirectory.path, flags });
    servers.push(server);
    return server;
  };
  try {
    const [barePort] = (await once(bareServer, 'message')) as [number];
    for (const [at, { path: data }] of directories.entries()) {
      const scale = at === 0 ? boundless : [];
      servers.push(await startServer({ data, flags: [...quietFlags, ...scale] }));
    }
    const [wide, narrow] = servers as [RunningServer, RunningServer];
    const plain = testWorkers > 0 ? await startPlain() : wide;
    const { stage, disabled, pass, tidy, renewSession } = await openTraders(wide);
    await Promise.all(Array.from({ length: makers }, (_, at) => offer(wide, 100 + at)));
    const narrowKey = await openTrader(narrow, 1);
    const target = targetOf(wide);
    const operatorPort = Number(new URL(wide.operatorUrl).port);
    return {
      stage,
      wide: target,
      wideOperator: { ...target, port: operatorPort },
      narrow: targetOf(narrow),
      plain: targetOf(plain),
      bare: targetOf({ pid: must(bareServer.pid, 'the bare server runs'), port: barePort }),
      narrowServer: narrow,
      offers: { count: makers * ordersPerMaker, size: offerSize },
      narrowKey,
      operatorToken,
      disabled,
      pass,
      tidy,
      renewSession,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The trading thread of a program is its first one. */
export function targetOf({ pid, port }: Pick<RunningServer, 'pid' | 'port'>): CostTarget {
  const folder = `/proc/${pid}/task/${pid}`;
  return {
    port,
    // The first figure of schedstat: nanoseconds on a processor.
    cpuUs: () => Number(readFileSync(`${folder}/schedstat`, 'latin1').split(' ')[0]) / 1000,
    sleeps: () => / S /.test(readFileSync(`${folder}/stat`, 'latin1')),
  };
}

type Login = Pick<Trader, 'address' | 'token' | 'native'>;

async function logIn({ http }: RunningServer, seed: number): Promise<Login> {
  const { address, sign } = createWallet(seed);
  const open = createClient({ baseUrl: http });
  const { nonce, timestamp } = await open.native.getLoginNonce({ address });
  const signature = await sign({ chainId: 43113, address, nonce, timestamp });
  const { token } = await open.native.login({ address, nonce, timestamp, signature });
  return { address, token, native: createClient({ baseUrl: http, token }).native };
}

async function openTrader(server: RunningServer, seed: number): Promise<Trader> {
  const { operator, http } = server;
  const { address, token, native } = await logIn(server, seed);
  await operator.creditAccount({ address, amount: '1000000', reference: `start of ${seed}` });
  const { api_key: apiKey, secret_key: secretKey } = await native.createApiKey({});
  const { fapi } = createClient({ baseUrl: http, apiKey, secretKey });
  return { address, native, fapi, token, apiKey, secretKey };
}

async function offer(server: RunningServer, seed: number): Promise<void> {
  const { fapi } = await openTrader(server, seed);
  for (let first = 0; first < ordersPerMaker; first += perBatch) {
    const batchOrders = Array.from({ length: perBatch }, (_, at) => ({
      ...{ symbol, side: 'SELL', type: 'LIMIT', timeInForce: 'GTC', quantity: String(offerSize) },
      price: (50_100 + (first + at) / 10).toFixed(1),
    }));
    await fapi.placeBatchOrders({ batchOrders: batchOrders as never });
  }
}

type Traders = Pick<CostStage, 'stage' | 'disabled' | 'pass' | 'tidy' | 'renewSession'>;

/**
 * The stage of the campaign of bad input, over HTTP: alice, bob, an order and a trigger of each.
 */
async function openTraders(server: RunningServer): Promise<Traders> {
  const { operator, http, operatorUrl } = server;
  let pricedAt = Number.NEGATIVE_INFINITY;
  const price = async (): Promise<void> => {
    if (performance.now() - pricedAt < priceAgeMs) return;
    pricedAt = performance.now();
    await operator.setIndexPrice({ symbol, price: '50000' });
  };
  await price();
  let alice = await openTrader(server, aliceSeed);
  const bob = await openTrader(server, 2);
  await operator.changeApiKey({ api_key: alice.apiKey, rate_tier: 'house' });
  await operator.listMarket({
    symbol: 'ZZZUSDT',
    ...{ base_asset: 'ZZZ', tick_size: '0.1', lot_size: '0.001', max_leverage: 10 },
  });
  const spare = await alice.native.createApiKey({});
  const blocked = await alice.native.createApiKey({});
  await alice.native.updateApiKey({ id: blocked.id, status: 'disabled' });
  let last = Date.now();
  const serial = (): number => {
    last += 1;
    return last;
  };
  const order = async ({ fapi }: Trader) => {
    const clientOrderId = `order-${serial()}`;
    const { orderId } = await fapi.placeOrder({
      ...{ symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: '49000' },
      ...{ quantity: '0.01', newClientOrderId: clientOrderId },
    });
    return { orderId: String(orderId), clientOrderId };
  };
  const trigger = async ({ fapi }: Trader) => {
    const clientAlgoId = `trigger-${serial()}`;
    const { algoId } = await fapi.placeAlgoOrder({
      ...{ algoType: 'CONDITIONAL', symbol, side: 'BUY', type: 'STOP_MARKET' },
      ...{ quantity: '0.01', triggerPrice: '60000', clientAlgoId },
    });
    return { algoId, clientAlgoId };
  };
  const [bobKey] = await bob.native.listApiKeys();
  const foreign = {
    ...(await order(bob)),
    ...(await trigger(bob)),
    keyId: must(bobKey, 'bob has a key').id,
  } as Stage['foreign'];
  const client = (credentials: Credentials = {}) =>
    createClient({ ...credentials, baseUrl: http, operatorUrl });
  // The makers of requests use only the time and the clients of their exchange.
  const world = { clock: { now: Date.now }, client } as unknown as BareExchange;
  const renewSession = async (): Promise<void> => {
    alice = { ...alice, ...(await logIn(server, aliceSeed)) };
  };
  const stage: Stage = {
    world,
    get alice() {
      return alice;
    },
    keyId: spare.id,
    foreign,
    serial,
    order: () => order(alice),
    trigger: (() => trigger(alice)) as Stage['trigger'],
    price,
    renew: renewSession,
  };
  let tidiedAt = performance.now();
  const pass = async (): Promise<void> => {
    await price();
    if (performance.now() - tidiedAt >= tidyMs) await tidy();
  };
  const tidy = async (): Promise<void> => {
    tidiedAt = performance.now();
    await alice.fapi.cancelAllOpenOrders({ symbol });
    await alice.fapi.cancelAlgoOpenOrders({ symbol });
  };
  const { api_key: apiKey, secret_key: secretKey } = blocked;
  return { stage, disabled: { apiKey, secretKey }, pass, tidy, renewSession };
}

const aliceSeed = 1;

/** How often alice's orders are cancelled, so that no bound is reached by accident. */
const tidyMs = 3000;
