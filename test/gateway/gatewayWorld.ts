// A whole exchange in memory behind its gateway. Engine, log, replica and limits are real; the test
// controls the time. Requests go through the listener without a socket.

import { randomBytes } from 'node:crypto';
import type { ArchivistPort } from '../../src/api/deployment.ts';
import type { Operation } from '../../src/api/operation.ts';
import { publicOperations } from '../../src/api/operations.ts';
import { adlQuantilesOf } from '../../src/archivist/adlQuantiles.ts';
import { longShortOf } from '../../src/archivist/longShort.ts';
import type { Command } from '../../src/engine/command.ts';
import type { ApiKeyStatus, RateTier } from '../../src/engine/marginModes.ts';
import type { MarketTerms } from '../../src/engine/marketTerms.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import { stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { accountByAddress, apiKeyByText, marketsOf } from '../../src/engine/views/exchange.ts';
import { stateOf } from '../../src/engine/views/stateOf.ts';
import { createGateway, type GatewayOptions } from '../../src/gateway/createGateway.ts';
import { createHandlers } from '../../src/gateway/createHandlers.ts';
import type { Gateway } from '../../src/gateway/gateway.ts';
import { createAccessTokens } from '../../src/gateway/identity/accessToken.ts';
import { hmacHex, makeHmacKey } from '../../src/gateway/identity/hmacSignature.ts';
import type { HistoryWhere } from '../../src/history/openHistoryWriter.ts';
import { createReplica, type ReplicaOptions } from '../../src/replica/createReplica.ts';
import type { RunningReplica } from '../../src/replica/replica.ts';
import { createReplicaState } from '../../src/replica/replicaState.ts';
import type { SecretStore } from '../../src/secrets/secretStore.ts';
import { must } from '../../src/std/assert.ts';
import type { AccountId, MarketId, Money, Rate, Ticks, Time } from '../../src/units/units.ts';
import { createTestServer, type TestServer } from '../fixtures/createTestServer.ts';
import { expectDocumented } from '../fixtures/expectDocumented.ts';
import { createInlineHistory, type InlineHistory } from '../fixtures/inlineHistory.ts';
import { injectThroughWorkers, listenWithWorkers } from '../fixtures/listenWithWorkers.ts';
import { createManualClock, type ManualClock } from '../fixtures/manualClock.ts';
import { createMemoryLog, type MemoryLog } from '../fixtures/memoryLog.ts';
import { riskTerms } from '../fixtures/riskTerms.ts';
import { smallPage } from '../fixtures/smallPage.ts';
import { testEngines } from '../fixtures/testEngines.ts';
import { createMemorySecretStore } from './memorySecretStore.ts';

/** A client with a key of its own account. */
export type Trader = {
  readonly account: AccountId;
  readonly address: string;
  readonly apiKey: string;
  readonly secret: string;
};

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | string[] | undefined>>;
  readonly text: string;
  // Tests read answers of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of answers.
  readonly body: any;
};

export type Sending = {
  readonly query?: string;
  readonly body?: string | Buffer;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type World = {
  readonly app: TestServer;
  readonly gateway: Gateway;
  readonly replica: RunningReplica;
  readonly log: MemoryLog;
  readonly clock: ManualClock;
  readonly secretStore: SecretStore;
  readonly history: InlineHistory;
  readonly faults: unknown[];
  /** Submits one command without the gateway and gives its outcome. */
  readonly command: (command: Command) => Promise<Outcome>;
  readonly newTrader: (usdt?: number, tier?: RateTier) => Promise<Trader>;
  readonly setKeyStatus: (trader: Trader, status: ApiKeyStatus) => Promise<void>;
  /** Fresh prices of every market, as text of ticks. */
  readonly price: (ticks: number) => Promise<void>;
  readonly send: (method: string, path: string, sending?: Sending) => Promise<Reply>;
  /** Signs and sends as the interface says: query for GET and DELETE, otherwise a JSON body. */
  readonly call: (
    trader: Trader,
    method: string,
    path: string,
    parameters?: Readonly<Record<string, unknown>>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Reply>;
  readonly stateHash: () => string;
  /** Serves HTTP and sockets at its own port, with this many workers. */
  readonly listen: (workers?: number) => Promise<number>;
  readonly close: () => Promise<void>;
};

const rate = (fraction: number): Rate => Math.round(fraction * 1e8) as Rate;
const usd = (amount: number): Money => Math.round(amount * 1e6) as Money;

export const worldTerms: MarketTerms = {
  maxLeverage: 50,
  maintenanceMarginRate: rate(0.01),
  liquidationFeeRate: rate(0.005),
  minOrderSize: usd(5),
  maxOrderSize: usd(1_000_000),
  openInterestCap: usd(20_000_000),
  fundingFactor: rate(0.01),
  maxFundingRate: rate(0.01),
  minFundingRate: rate(-0.01),
  fundingIntervalHours: 8,
  maxMarketSlippage: rate(0.05),
  markClamp: rate(0.0025),
  markBand: rate(0.02),
  makerFee: rate(0.0002),
  takerFee: rate(0.0005),
  selfTradePrevention: 'EXPIRE_MAKER',
  indexSources: [{ source: 'test', weight: 1 }],
  underlyingType: 'COIN',
  deliveryTime: 0 as Time,
  ...riskTerms(rate(0.01)),
};

const listings = [
  { baseAsset: 'BTC', tick: 1, lot: 3 },
  { baseAsset: 'ETH', tick: 2, lot: 2 },
] as const;

/** The query of parameters, percent-encoded, in their order. */
export function queryText(parameters: Readonly<Record<string, unknown>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
}

export type WorldOptions = {
  readonly rows?: readonly Operation[];
  readonly markets?: boolean;
  readonly automatic?: boolean;
  readonly replica?: Partial<ReplicaOptions>;
  readonly gateway?: Partial<GatewayOptions>;
  /** The directory of its history, if not one of its own. */
  readonly where?: HistoryWhere;
};

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  // Aligned to a minute, so that windows begin where a test begins.
  const clock = createManualClock(1_760_000_040_000);
  const log = createMemoryLog({ automatic: options.automatic ?? true });
  const faults: unknown[] = [];
  const replica = createReplica({
    state: createReplicaState(43113, testEngines),
    log,
    clock,
    onFatal: (error) => faults.push(error),
    ...options.replica,
  });
  const secretStore = createMemorySecretStore();
  const history = createInlineHistory(log, { where: options.where });
  const gateway = createGateway({
    chainId: 43113,
    version: '0.0.0-test',
    clock,
    replica,
    secretStore,
    tokens: createAccessTokens('a secret of the tests, 32 bytes and more', 43113),
    login: unused('login'),
    archivist: unused<ArchivistPort>('archivist', {
      adlQuantiles: async (account) => adlQuantilesOf(replica.exchange, new Map(), account),
      longShort: async (market) => longShortOf(replica.exchange, new Map(), market),
    }),
    history: history.ask,
    manualPrices: unused('manualPrices'),
    indexSourcesOf: () => ['test'],
    isMainnet: false,
    liquidation: unused('liquidation'),
    randomBytes,
    metrics: () => Promise.resolve(''),
    examples: {},
    page: smallPage(),
    operatorToken: 'operator',
    trustedProxies: new Set(['127.0.0.1']),
    onFault: (error) => faults.push(error),
    ...options.gateway,
  });
  const rows = options.rows ?? publicOperations;
  const app = createTestServer(createHandlers(gateway, rows), rows);
  expectDocumented(app, rows);
  injectThroughWorkers({ app, gateway, rows });
  const parts = { app, gateway, replica, log, clock, secretStore, history, faults };
  const world = createWorld(parts, rows);
  if (options.markets !== false) await listMarkets(world);
  return world;
}

/** A port that this world does not use, except `used`: any other use is an error of the test. */
function unused<T extends object>(name: string, used: Partial<T> = {}): T {
  return new Proxy(used as T, {
    get: (target, key) => {
      if (key in target) return target[key as keyof T];
      throw new Error(`the world has no ${name}.${String(key)}`);
    },
  });
}

async function listMarkets(world: World): Promise<void> {
  for (const { baseAsset, tick, lot } of listings) {
    await world.command({
      kind: 'listMarket',
      symbol: `${baseAsset}USDT`,
      baseAsset,
      tick: { decimals: tick, step: 1 },
      lot: { decimals: lot, step: 1 },
      terms: worldTerms,
      status: 'TRADING',
    });
  }
  await world.price(600_000);
}

type Parts = Pick<
  World,
  'app' | 'gateway' | 'replica' | 'log' | 'clock' | 'secretStore' | 'history' | 'faults'
>;

function createWorld(parts: Parts, rows: readonly Operation[]): World {
  const { app, gateway, replica, clock, secretStore, log } = parts;
  let traders = 0;
  const command = (value: Command): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      let outcome: Outcome | undefined;
      const waiter = {
        capture: (applied: Outcome) => {
          outcome = applied;
        },
        release: () => resolve(must(outcome, 'captured before released')),
      };
      if (!replica.submit(value, 'reserve', waiter)) reject(new Error('no room'));
    });
  const send: World['send'] = async (method, path, sending = {}) => {
    const { query = '', body, contentType, headers = {} } = sending;
    const response = await app.inject({
      method: method as 'GET',
      url: query === '' ? path : `${path}?${query}`,
      headers: {
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body }),
    });
    return replyOf(response);
  };
  const call: World['call'] = (trader, method, path, parameters = {}, headers = {}) => {
    const inQuery = method === 'GET' || method === 'DELETE';
    const timestamp = { timestamp: clock.now() };
    const query = queryText(inQuery ? { ...parameters, ...timestamp } : timestamp);
    const body = inQuery ? undefined : JSON.stringify(parameters);
    const signature = signatureOf(trader, query + (body ?? ''));
    return send(method, path, {
      query: `${query}&signature=${signature}`,
      ...(body === undefined ? {} : { body, contentType: 'application/json' }),
      headers: { 'x-mbx-apikey': trader.apiKey, ...headers },
    });
  };
  const newTrader: World['newTrader'] = async (amount = 100_000, tier = 'standard') => {
    traders += 1;
    const address = `0x${traders.toString(16).padStart(40, '0')}`;
    const reference = `trader ${traders}`;
    const credited = { kind: 'credit', address, amount: usd(amount), reference } as const;
    await command(credited);
    const { id: account } = must(accountByAddress(replica.exchange, address), 'credited');
    const apiKey = randomBytes(32).toString('hex');
    const secret = randomBytes(32).toString('hex');
    const profile = secretStore.createKeyRecord({ apiKey, secret, label: '', ipWhitelist: '' });
    await command({ kind: 'createApiKey', account, apiKey, profile });
    if (tier !== 'standard') await command({ kind: 'setRateTier', apiKey, rateTier: tier });
    return { account, address, apiKey, secret };
  };
  return {
    ...parts,
    command,
    send,
    call,
    newTrader,
    setKeyStatus: async ({ account, apiKey }, status) => {
      const { id, createdAt } = must(apiKeyByText(replica.exchange, apiKey), 'a key of the world');
      await command({ kind: 'updateApiKey', account, id, createdAt, status, profile: undefined });
    },
    price: async (ticks) => {
      clock.advance(1);
      const observedAt = clock.now() as Time;
      const prices = marketsOf(replica.exchange).map(({ id }) => ({
        market: id as MarketId,
        source: 'test',
        ticks: ticks as Ticks,
        observedAt,
      }));
      await command({ kind: 'indexTick', prices });
    },
    stateHash: () => stateHash(stateOf.exchange(replica.exchange)),
    listen: (workers) => listenWithWorkers({ app, gateway, rows }, workers),
    close: async () => {
      await app.close();
      await gateway.lastUsed.flush();
      replica.stop();
      await log.close();
      await parts.history.close();
    },
  };
}

export function signatureOf({ secret }: Pick<Trader, 'secret'>, text: string): string {
  return hmacHex(makeHmacKey(secret), text, undefined);
}

function replyOf(response: {
  readonly statusCode: number;
  readonly headers: Reply['headers'];
  readonly payload: string;
}): Reply {
  const text = response.payload;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.statusCode, headers: response.headers, text, body };
}
