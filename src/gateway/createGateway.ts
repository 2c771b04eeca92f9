// Builds a gateway from its ports: the deployment that rows see, the keys and the limits.
// createServer.ts makes the listeners.

import type {
  ArchivistPort,
  ChainStanding,
  Deployment,
  KeySecrets,
  LiquidationReport,
  LoginPort,
  ManualPrices,
  PagePort,
} from '../api/deployment.ts';
import type { ApiExamples } from '../api/examples.ts';
import { accountRecords } from '../api/native/accountRecords.ts';
import { disconnectError } from '../api/streams/disconnectError.ts';
import type { Event } from '../engine/event.ts';
import { apiKeysOf } from '../engine/views/account.ts';
import { accountById } from '../engine/views/exchange.ts';
import type { AskHistory } from '../history/queries/historyQueries.ts';
import { deleveragingsIn } from '../market-data/deleveragings.ts';
import { findEndedOrder, findEndedOrderById } from '../market-data/endedOrders.ts';
import { findEndedTrigger, findEndedTriggerById } from '../market-data/endedTriggers.ts';
import { forceOrdersOf } from '../market-data/forceOrders.ts';
import { remembersAll } from '../market-data/rowRing.ts';
import { settledFundingIn } from '../market-data/settledFunding.ts';
import type { Views } from '../market-data/views.ts';
import { withdrawalsOf } from '../market-data/withdrawals.ts';
import type { Replica } from '../replica/replica.ts';
import type { RandomBytes, SecretStore, SecretStoreWriter } from '../secrets/secretStore.ts';
import { writeHere } from '../secrets/writeHere.ts';
import { must } from '../std/assert.ts';
import type { Clock } from '../std/clock.ts';
import { createStreams, type StreamsOptions } from '../streams/createStreams.ts';
import { createSharedListenKeys, type ListenKeyNews } from '../streams/fapi/sharedListenKeys.ts';
import type { Streams } from '../streams/streams.ts';
import type { Money } from '../units/units.ts';
import { chargeEvents, chargeWork } from './accountCeilings.ts';
import { createAdmitToken } from './admitToken.ts';
import {
  type ConnectionNumbers,
  createDisconnects,
  type GatewayDisconnects,
} from './createDisconnects.ts';
import { createHistoryPort } from './createHistoryPort.ts';
import { createMarketDataPort } from './createMarketDataPort.ts';
import { createTurns } from './createTurns.ts';
import type { Gateway, Served } from './gateway.ts';
import type { AccessTokens } from './identity/accessToken.ts';
import { createFaucetLimit } from './identity/faucetLimit.ts';
import { formatIpWhitelist, parseIpWhitelist } from './identity/ipWhitelist.ts';
import { makeListenKey, readListenKey } from './identity/makeListenKey.ts';
import { createNetworkList, privateNetworks } from './identity/networkList.ts';
import type { KeyArrivals } from './keyArrivals.ts';
import { createKeyRing } from './keyRing.ts';
import { createLastUsed, type LastUsed, type LastUsedNews } from './lastUsed.ts';
import { createPagePort } from './pages/createPagePort.ts';
import { createRateLimits, type RateLimits } from './rateLimits.ts';
import { createSessionsUsed } from './sessionsUsed.ts';
import type { SocketCeilings } from './sockets/socketCounts.ts';
import type { Tallies } from './tallies.ts';

export type GatewayOptions = {
  readonly chainId: number;
  /** The backend's release version. */
  readonly version: string;
  readonly standing?: Deployment['standing'];
  /** By default it does. */
  readonly holds?: Deployment['holds'];
  readonly clock: Clock;
  readonly replica: Replica;
  readonly secretStore: SecretStore;
  /** Writes the secret store beside trading. By default the secret store itself writes. */
  readonly secretStoreWriter?: SecretStoreWriter;
  /** Of a process that shares the keys with others. */
  readonly keyArrivals?: KeyArrivals | undefined;
  /** Of a process whose listen keys are good at others. */
  readonly listenKeyNews?: ListenKeyExchange | undefined;
  readonly lastUsedNews?: LastUsedNews | undefined;
  /** Of one of several processes: the numbers that it gives to connections. */
  readonly connectionNumbers?: ConnectionNumbers | undefined;
  /** Of a process that shares its limits with others. */
  readonly tallies?: Tallies | undefined;
  readonly tokens: AccessTokens;
  readonly login: LoginPort;
  readonly archivist: ArchivistPort;
  /** Asks the thread of history. */
  readonly history: AskHistory;
  readonly manualPrices: ManualPrices;
  readonly indexSourcesOf: (symbol: string) => readonly string[];
  readonly isMainnet: boolean;
  /** What one claim of the faucet gives; undefined: there is no faucet (NAT-8). */
  readonly faucet?: Money | undefined;
  readonly liquidation: () => LiquidationReport;
  /** Absent where no chain service runs. */
  readonly chain?: () => ChainStanding | undefined;
  /** The vault that the settings name, in lower case; empty or absent: none. */
  readonly vault?: string;
  readonly randomBytes: RandomBytes;
  readonly metrics: () => Promise<string>;
  /** The examples of each operation in the documentation. */
  readonly examples: ApiExamples;
  /** The trading page. Without it the exchange serves none. */
  readonly page?: PagePort;
  readonly operatorToken: string;
  /** As `trustedProxySet` gives it. */
  readonly trustedProxies: ReadonlySet<string>;
  /** Networks whose clients see internal pages (CON-3). Default: private networks. */
  readonly metricsFrom?: readonly string[];
  /** Multiplies every rate limit; 1 as the interface says. Only for benchmarks. */
  readonly rateLimitScale?: number;
  /** How many sockets may be open, if not as usual. */
  readonly socketCeilings?: SocketCeilings;
  /** Bounds of the streams, how they wait for another turn, and who hears of the first socket. */
  readonly streams?: Pick<StreamsOptions, 'bounds' | 'defer' | 'onFirst'>;
  readonly onFault: (error: unknown, operation: string) => void;
  readonly onServed?: ((served: Served) => void) | undefined;
};

/** How the processes of a deployment hear of listen keys. */
export type ListenKeyExchange = {
  /** As `deriveListenKeyKey` gives it, the same at all processes. */
  readonly key: Buffer;
  readonly say: (news: ListenKeyNews) => void;
  /** Called once, with what takes the news of others. */
  readonly onNews: (hear: (news: ListenKeyNews) => void) => void;
};

/**
 * The caller must call `lastUsed.flush` once a minute and before it closes the secret store
 * (AUTH-8).
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { clock, replica, secretStore, tokens, operatorToken, trustedProxies, rateLimitScale } =
    options;
  const writer = options.secretStoreWriter ?? writeHere(secretStore);
  const lastUsed = createLastUsed({
    ...{ secretStore, writer, news: options.lastUsedNews },
    onFailure: (error) => options.onFault(error, 'writing the last-used times of keys'),
  });
  const limits = createRateLimits({
    scale: rateLimitScale ?? 1,
    sockets: options.socketCeilings,
    tallies: options.tallies,
  });
  const { connectionNumbers: numbers } = options;
  const disconnects = createDisconnects({ replica, limits, clock, ...(numbers && { numbers }) });
  const streams = streamsOf(options, limits, disconnects);
  const sessionsUsed = createSessionsUsed();
  return {
    deployment: deploymentOf(options, writer, { lastUsed, sessionsUsed, streams, limits }),
    replica,
    clock,
    tokens,
    operatorToken,
    trustedProxies,
    isInternal: createNetworkList(options.metricsFrom ?? privateNetworks),
    keys: createKeyRing(secretStore, {
      tallies: options.tallies,
      ceiling: limits.ceilings.tiers.standard.weight,
      keyOf: (account, id) => {
        const owner = accountById(replica.exchange, account);
        return owner && apiKeysOf(owner).find((each) => each.id === id);
      },
    }),
    keyArrivals: options.keyArrivals,
    lastUsed,
    sessionsUsed,
    limits,
    streams,
    disconnects,
    onFault: options.onFault,
    onServed: options.onServed,
  };
}

const epochBytes = 8;

/** Streams of everything that the replica applies from now on. */
function streamsOf(
  options: GatewayOptions,
  limits: RateLimits,
  disconnects: GatewayDisconnects,
): Streams {
  const { replica, clock, tokens, randomBytes, onFault } = options;
  const { exchange, views, whenDurable } = replica;
  const streams = createStreams({
    ...options.streams,
    exchange,
    views,
    clock,
    whenDurable,
    onFault,
    records: { ...accountRecords(exchange, options.chain), disconnectError },
    disconnects,
    admitToken: createAdmitToken({ limits, tokens, clock, replica }),
    randomBytes,
    epoch: randomBytes(epochBytes).toString('hex'),
    shareListenKeys: sharedListenKeysOf(options),
  });
  const onEvents = (events: readonly Event[]): void => {
    chargeEvents(limits, { exchange, events, now: clock.now() });
    disconnects.onEvents(events);
    streams.onEvents(events);
    options.keyArrivals?.onEvents(events);
  };
  replica.listen({ onEvents, onApplied: streams.onApplied });
  const tick = (): boolean => {
    const isRead = streams.tick();
    disconnects.tick();
    return isRead;
  };
  return { ...streams, tick };
}

function sharedListenKeysOf({
  listenKeyNews,
  clock,
  randomBytes,
  replica: { exchange },
}: GatewayOptions): StreamsOptions['shareListenKeys'] {
  if (listenKeyNews === undefined) return undefined;
  const { key, say, onNews } = listenKeyNews;
  return (onEnd) => {
    const listenKeys = createSharedListenKeys({
      ...{ clock, say, onEnd },
      make: (account, now) => makeListenKey({ key, account, now }, randomBytes),
      read: (text) => readListenKey(text, key),
      knows: (account) => accountById(exchange, account) !== undefined,
    });
    onNews(listenKeys.hear);
    return listenKeys;
  };
}

function deploymentOf(
  options: GatewayOptions,
  writer: SecretStoreWriter,
  {
    lastUsed,
    sessionsUsed,
    streams,
    limits,
  }: Pick<Gateway, 'lastUsed' | 'sessionsUsed' | 'streams' | 'limits'>,
): Deployment {
  const { replica } = options;
  return {
    chainId: options.chainId,
    version: options.version,
    ...(options.standing !== undefined && { standing: options.standing }),
    holds: options.holds ?? (() => true),
    clock: options.clock,
    exchange: replica.exchange,
    ...viewPorts(replica.views, options.history),
    history: createHistoryPort(options.history),
    marketData: createMarketDataPort(replica, options.history),
    testOrder: createTestOrder(options, limits),
    perform: createPerform(replica),
    head: replica.head,
    waiting: replica.waiting,
    keys: keySecretsOf(options, writer, lastUsed),
    login: options.login,
    sessionUsedAt: sessionsUsed.of,
    archivist: options.archivist,
    manualPrices: options.manualPrices,
    listenKeys: streams.listenKeys,
    indexSourcesOf: options.indexSourcesOf,
    isMainnet: options.isMainnet,
    faucet: faucetOf(options.faucet),
    liquidation: options.liquidation,
    chain: options.chain ?? (() => undefined),
    vault: options.vault ?? '',
    randomBytes: options.randomBytes,
    metrics: options.metrics,
    examples: options.examples,
    page: options.page ?? noPage,
  };
}

const noPage: PagePort = createPagePort({
  page: Promise.resolve(undefined),
  documents: Promise.resolve(undefined),
});

function faucetOf(amount: Money | undefined): Deployment['faucet'] {
  return amount === undefined ? undefined : { amount, ...createFaucetLimit() };
}

type ViewPorts = Pick<
  Deployment,
  | 'findEndedOrder'
  | 'findEndedOrderById'
  | 'findEndedTrigger'
  | 'findEndedTriggerById'
  | 'forceOrdersOf'
  | 'deleveragings'
  | 'withdrawalsOf'
  | 'settledFunding'
  | 'lastSettlement'
>;

function viewPorts(views: Views, ask: AskHistory): ViewPorts {
  const { endedOrders, endedTriggers } = views;
  return {
    findEndedOrder: (account, reference) => findEndedOrder(endedOrders, account, reference),
    findEndedOrderById: (id) => findEndedOrderById(endedOrders, id),
    findEndedTrigger: (account, reference) => findEndedTrigger(endedTriggers, account, reference),
    findEndedTriggerById: (id) => findEndedTriggerById(endedTriggers, id),
    forceOrdersOf: (account, window) =>
      remembersAll(views.forceOrders)
        ? forceOrdersOf(views.forceOrders, account, window)
        : ask('forceOrders', { account, ...window }),
    deleveragings: (window) =>
      remembersAll(views.deleveragings)
        ? deleveragingsIn(views.deleveragings, window)
        : ask('deleveragings', window),
    withdrawalsOf: (account, window) =>
      remembersAll(views.withdrawals)
        ? withdrawalsOf(views.withdrawals, account, window)
        : ask('withdrawals', { account, ...window }),
    settledFunding: (window) =>
      remembersAll(views.settledFunding)
        ? settledFundingIn(views.settledFunding, window)
        : ask('fundingRates', window),
    lastSettlement: (market) => settledFundingIn(views.settledFunding, { market, limit: 1 })[0],
  };
}

/** The work of a test order is charged to its account (AUTH-7b). */
function createTestOrder(
  { replica, clock }: Pick<GatewayOptions, 'replica' | 'clock'>,
  limits: RateLimits,
): Deployment['testOrder'] {
  return (command, look) => {
    const { outcome, work } = replica.testOrder(command, look);
    const account = must(
      accountById(replica.exchange, command.account),
      'orders are of an account',
    );
    chargeWork(limits, account, work, clock.now());
    return outcome;
  };
}

function createPerform({
  submit,
  whyRefused,
}: Pick<Replica, 'submit' | 'whyRefused'>): Deployment['perform'] {
  return (command, lane, capture) =>
    new Promise((resolve, reject) => {
      let settle = (): void => reject(new Error('a command was released before it was applied'));
      const accepted = submit(command, lane, {
        capture: (outcome) => {
          try {
            const captured = capture(outcome);
            settle = () => resolve(captured);
          } catch (error) {
            settle = () => reject(error);
          }
        },
        release: () => settle(),
        refuse: (reason) => resolve({ reason }),
      });
      if (!accepted) resolve({ reason: whyRefused(lane) });
    });
}

function keySecretsOf(
  { secretStore, keyArrivals, onFault }: GatewayOptions,
  writer: SecretStoreWriter,
  lastUsed: LastUsed,
): KeySecrets {
  return {
    createKeyRecord: writer.createKeyRecord,
    putProfile: writer.putProfile,
    profileOf: secretStore.profileOf,
    secretOf: secretStore.secretOf,
    removeKey: writer.removeKey,
    removeProfile: (ref) => {
      writer.removeProfile(ref).catch((error) => onFault(error, 'removing a profile'));
    },
    lastUsedOf: lastUsed.of,
    arriving: (apiKey) => keyArrivals?.arriving(apiKey),
    inTurn: createTurns(),
    normalizeWhitelist: (text) => {
      const parsed = parseIpWhitelist(text);
      return parsed.ok ? formatIpWhitelist(parsed.whitelist) : undefined;
    },
  };
}
