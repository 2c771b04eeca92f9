// Puts the whole exchange together and starts it. Other files build the parts; this file has the
// order.

import type { AddressInfo } from 'node:net';
import type { ChainStanding } from '../api/deployment.ts';
import { createClient } from '../client/createClient.ts';
import { allApiKeys, marketBySymbol } from '../engine/views/exchange.ts';
import type { Report } from '../feeds/indexFeed.ts';
import { createIndexPublisher, type IndexPublisher } from '../feeds/indexPublisher.ts';
import { createManualFeed, type ManualFeed } from '../feeds/manualFeed.ts';
import { createCrowd, demoCrowd } from '../maker/crowd.ts';
import { createMakerClient } from '../maker/makerClient.ts';
import {
  createMarketMaker,
  demoCountdownMs,
  demoLadder,
  demoRefreshMs,
  houseMakerLimits,
} from '../maker/marketMaker.ts';
import type { Rounds } from '../maker/rounds.ts';
import { endFormerConnections } from '../replica/endFormerConnections.ts';
import type { RunningReplica } from '../replica/replica.ts';
import { must } from '../std/assert.ts';
import { systemClock } from '../std/clock.ts';
import { systemScheduler } from '../std/scheduler.ts';
import { checkVault } from './checkVault.ts';
import type { ChosenConfig } from './chooseWorkers.ts';
import { descriptorRoom, readDescriptors } from './descriptorRoom.ts';
import type { Journal } from './journal.ts';
import { listening } from './listening.ts';
import { checkWorkers } from './listenToClients.ts';
import { openChain } from './openChain.ts';
import { type Core, openCore } from './openCore.ts';
import { openFeeds } from './openFeeds.ts';
import { openSurface, type Surface } from './openSurface.ts';
import { openWaitingListeners, type WaitingListeners } from './openWaitingListeners.ts';
import { type HouseKey, type Prepared, prepareDemo } from './prepareDemo.ts';
import type { ClusterStanding } from './standingMembers.ts';

export type StartExchange = {
  readonly config: ChosenConfig;
  readonly journal: Journal;
  /** Called once: the process must stop, and no command is acknowledged any more. */
  readonly onFatal: (error: Error) => void;
  /** Resolves when the operator stops the process. */
  readonly stopped: Promise<unknown>;
  /** Called when a process with a log in PostgreSQL begins to wait for the lease. */
  readonly onWaiting: (http: string) => void;
  /** Called when such a process serves what another one writes. */
  readonly onFollowing: (places: { readonly http: string; readonly operator: string }) => void;
};

export type RunningExchange = {
  readonly core: Core;
  /** Scheme, host and port of the two listeners. */
  readonly http: string;
  readonly operator: string;
  readonly prepared: Prepared;
  /** Answers the requests that have come, takes a snapshot, and releases the data directory. */
  readonly stop: () => Promise<void>;
};

/**
 * Resolves when clients are served and the markets that the feed knows have a price. When a part
 * cannot start, this stops the parts before it and rejects.
 */
export async function startExchange(options: StartExchange): Promise<RunningExchange> {
  // What has been started; it is stopped in the opposite order.
  const started: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of started.splice(0).reverse()) await end();
  };
  try {
    return { ...(await startParts(options, started)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(
  options: StartExchange,
  started: (() => Promise<void>)[],
): Promise<Omit<RunningExchange, 'stop'>> {
  const { config } = options;
  checkWorkers(config, process.platform);
  // Before anything is opened, so that the error names a limit that is too small.
  descriptorRoom(readDescriptors(), config.workers);
  // The log, and the state that it makes.
  const behind = await openAfterWaiting(options, started);
  const { promotion } = behind.core;
  return promotion === undefined
    ? startWriting(options, behind, started)
    : startFollowing(options, behind, started, promotion);
}

/** A process that writes from the start: the operator comes before clients. */
async function startWriting(
  options: StartExchange,
  behind: OpenedCore,
  started: (() => Promise<void>)[],
): Promise<Omit<RunningExchange, 'stop'>> {
  const { core, waiting } = behind;
  await settlePast(core, options.journal);
  const parts = openParts(options, behind, started);
  const operator = await listenToOperator(options, parts, waiting);
  const prepared = await openTrading(options, parts, operator, started);
  // No client on the history of another log.
  await Promise.all([core.historyChecked(), parts.surface.prepare()]);
  const http = await listenForClients(options, parts, waiting);
  startTraders(options, prepared, http, started);
  return { core, http: http.shown, operator: operator.shown, prepared };
}

/** A process that follows serves reads at once, and the rest when it has the lease. */
async function startFollowing(
  options: StartExchange,
  behind: OpenedCore,
  started: (() => Promise<void>)[],
  promotion: Promise<void>,
): Promise<Omit<RunningExchange, 'stop'>> {
  const { core, waiting } = behind;
  const parts = openParts(options, behind, started);
  const operator = await listenToOperator(options, parts, waiting);
  await Promise.all([core.historyChecked(), parts.surface.prepare()]);
  const http = await listenForClients(options, parts, waiting);
  options.onFollowing({ http: http.shown, operator: operator.shown });
  await promotion;
  parts.isHolder = true;
  // The promotion has ended the connections of the process before.
  reportLostKeys(core, options.journal);
  const prepared = await openTrading(options, parts, operator, started);
  startTraders(options, prepared, http, started);
  return { core, http: http.shown, operator: operator.shown, prepared };
}

/** What serves, and the prices that the operator sets. */
type Parts = {
  readonly core: Core;
  readonly surface: Surface;
  readonly manual: ManualFeed;
  /** Prices are published at once, when a publisher runs. */
  tickNow: () => void;
  /** Whether this process writes; always, unless it follows another one. */
  isHolder: boolean;
  /** How its chain service stands, when one runs. */
  chain: (() => ChainStanding) | undefined;
};

function openParts(
  { config, journal }: StartExchange,
  { core, standing }: OpenedCore,
  started: (() => Promise<void>)[],
): Parts {
  const manual = createManualFeed();
  const tellPrice = shareManualPrices(manual, core.facts);
  const set: ManualFeed['set'] = (symbol, price) => {
    const isSet = manual.set(symbol, price);
    if (isSet) tellPrice(symbol, price);
    if (isSet) parts.tickNow();
    return isSet;
  };
  const manualPrices = { set, standing: manual.standing };
  const holds = (): boolean => parts.isHolder;
  const chain = (): ChainStanding | undefined => parts.chain?.();
  const surface = openSurface({ config, core, journal, standing, manualPrices, holds, chain });
  started.push(surface.close);
  const isHolder = core.promotion === undefined;
  const parts: Parts = {
    ...{ core, surface, manual, tickNow: () => {}, isHolder },
    chain: undefined,
  };
  return parts;
}

/**
 * The next holder of the lease states the operator's prices again. Gives what is to be called when
 * one was set here.
 */
function shareManualPrices(
  { set }: Pick<ManualFeed, 'set'>,
  facts: Core['facts'],
): (symbol: string, price: string | null) => void {
  const word = 'price';
  let version = 0;
  facts?.onHeard(word, (fact) => {
    version = Math.max(version, fact.version);
    set(fact.name.slice(word.length + 1), fact.value === '' ? null : fact.value);
  });
  return (symbol, price) => {
    version = Math.max(version + 1, systemClock.now());
    const until = Number.MAX_SAFE_INTEGER;
    facts?.say({ name: `${word} ${symbol}`, version, until, value: price ?? '' });
  };
}

/** Where a listener is: for another program on this machine, and as the configuration names it. */
type Place = { readonly url: string; readonly shown: string };

async function listenToOperator(
  { config }: StartExchange,
  { surface: { operatorServer } }: Parts,
  waiting: WaitingListeners | undefined,
): Promise<Place> {
  const { operatorHost: host } = config;
  const at = { host, port: waiting?.operator.port ?? config.operatorPort };
  await waiting?.closeOperator();
  await listening('operator-', at, operatorServer.listen(at));
  const address = operatorServer.server.address() as AddressInfo;
  return { url: reachable(address), shown: shown(host, address) };
}

async function listenForClients(
  { config }: StartExchange,
  { surface }: Parts,
  waiting: WaitingListeners | undefined,
): Promise<Place> {
  await waiting?.close();
  const port = waiting?.clients.port ?? config.port;
  const { address } = await listening('', { ...config, port }, surface.listen(port));
  return { url: reachable(address), shown: shown(config.host, address) };
}

/** Markets, what a demo needs, and prices. */
async function openTrading(
  { config, journal }: StartExchange,
  parts: Parts,
  { url: operatorUrl }: Place,
  started: (() => Promise<void>)[],
): Promise<Prepared> {
  const { core, surface, manual } = parts;
  const { replica } = core;
  const { operatorToken, gateway } = surface;
  const report = (message: string): void => journal.warn(message);
  const { operator } = createClient({ baseUrl: operatorUrl, operatorUrl, operatorToken });
  const prepared = await prepareDemo({ config, deployment: gateway.deployment, operator });
  const feeds = await openFeeds({ manual, config, exchange: replica.exchange, report });
  const publisher = openPublisher(replica, feeds, report);
  started.push(publisher.stop);
  parts.tickNow = publisher.tickNow;
  const chain = await openChain({ replica, archivist: core.archivist, config, journal });
  if (chain !== undefined) {
    started.push(chain.stop);
    parts.chain = chain.standing;
  }
  publisher.start();
  await replica.drain();
  return prepared;
}

/** The house market maker is a client like any other. */
function startTraders(
  { config, journal }: StartExchange,
  prepared: Prepared,
  { url: baseUrl }: Place,
  started: (() => Promise<void>)[],
): void {
  const report = (message: string): void => journal.warn(message);
  for (const trader of openTraders(prepared, { baseUrl, config, report })) {
    trader.start();
    started.push(trader.stop);
  }
}

type OpenedCore = {
  readonly core: Core;
  readonly waiting: WaitingListeners | undefined;
  readonly standing: (() => ClusterStanding) | undefined;
};

/** A process with a log in PostgreSQL answers that it waits, until it has the lease. */
async function openAfterWaiting(
  options: StartExchange,
  started: (() => Promise<void>)[],
): Promise<OpenedCore> {
  let standing: (() => ClusterStanding) | undefined;
  const waiting = await openListeners(options, () => standing?.());
  if (waiting !== undefined) started.push(waiting.close);
  const core = await openCore({
    ...options,
    stand: (now) => {
      standing = now;
    },
  });
  started.push(core.close);
  checkVault(options.config, core.replica.exchange);
  if (standing === undefined) return { core, waiting, standing };
  // It becomes another one when the process gets the lease.
  const present = (): ClusterStanding => must(standing, 'a standing stays')();
  return { core, waiting, standing: present };
}

async function openListeners(
  { config, journal, onWaiting }: StartExchange,
  standing: () => ClusterStanding | undefined,
): Promise<WaitingListeners | undefined> {
  if (config.cluster === '') return undefined;
  const waiting = await openWaitingListeners({ config, journal, standing });
  onWaiting(shown(config.host, waiting.clients));
  return waiting;
}

function openPublisher(
  replica: RunningReplica,
  feeds: Parameters<typeof createIndexPublisher>[0]['feeds'],
  report: (message: string) => void,
): IndexPublisher {
  const { exchange } = replica;
  const waiter = { capture: () => {}, release: () => {} };
  return createIndexPublisher({
    feeds,
    marketOf: (symbol) => marketBySymbol(exchange, symbol),
    submit: (command) => replica.submit(command, 'reserve', waiter),
    // Prices are judged by the exchange's time, which may be ahead of a clock that was set back.
    clock: replica,
    scheduler: systemScheduler,
    report,
  });
}

type Trading = { readonly baseUrl: string; readonly config: ChosenConfig; readonly report: Report };

/** The demo's own clients: the market maker, and the crowd. */
function openTraders({ maker, crowd }: Prepared, trading: Trading): Rounds[] {
  return [
    ...(maker === undefined ? [] : [openMaker(maker, trading)]),
    ...(crowd.length === 0 ? [] : [openCrowd(crowd, trading)]),
  ];
}

function openMaker({ apiKey, secret: secretKey }: HouseKey, { baseUrl, report }: Trading): Rounds {
  return createMarketMaker({
    client: createMakerClient({ baseUrl, apiKey, secretKey, clock: systemClock }),
    clock: systemClock,
    scheduler: systemScheduler,
    report,
    limits: houseMakerLimits,
    ladder: demoLadder,
    refreshMs: demoRefreshMs,
    countdownMs: demoCountdownMs,
  });
}

function openCrowd(keys: readonly HouseKey[], { baseUrl, config, report }: Trading): Rounds {
  return createCrowd({
    clients: keys.map(({ apiKey, secret: secretKey }) =>
      createMakerClient({ baseUrl, apiKey, secretKey, clock: systemClock }),
    ),
    clock: systemClock,
    scheduler: systemScheduler,
    report,
    seed: config.feedSeed,
    parameters: demoCrowd,
  });
}

/** What the process before may have left behind, before anyone is served. */
async function settlePast(core: Core, journal: Journal): Promise<void> {
  reportLostKeys(core, journal);
  const report = (message: string): void => journal.info(message);
  await endFormerConnections(core.replica, report, core.lostConnections);
}

/**
 * A lost secret store is made anew and is empty. A loss that cannot be undone later is reported at
 * once.
 */
function reportLostKeys({ secretStore, replica }: Core, journal: Pick<Journal, 'error'>): void {
  const apiKeys = [...allApiKeys(replica.exchange)];
  const lost = secretStore.countLost(apiKeys);
  if (lost === 0) return;
  journal.error(
    `the secret store does not contain the secrets of ${lost} of ${apiKeys.length} API keys: ` +
      'requests with these keys are refused. Balances, orders and positions are not affected. ' +
      'If you have a copy of vault.db and its master key, stop now and put both back; ' +
      'otherwise the owners must make new keys',
  );
}

/** The listener's address for another program on this machine. */
function reachable({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (address === '::') return `http://[::1]:${port}`;
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}

/** The listener's address as the configuration names it. */
function shown(host: string, { port }: AddressInfo): string {
  return host.includes(':') ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}
