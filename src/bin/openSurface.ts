// The part of the exchange that clients and the operator use: authentication, operations and
// listeners.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ChainStanding, ManualPrices } from '../api/deployment.ts';
import { operatorListenerOperations, publicOperations } from '../api/operations.ts';
import { recordActs } from '../api/operator/recordActs.ts';
import { type Config, chains } from '../config.ts';
import { closeServer } from '../gateway/closeServer.ts';
import { type ConnectionFigures, createConnectionFigures } from '../gateway/connectionClients.ts';
import { createGateway } from '../gateway/createGateway.ts';
import { createHandlers } from '../gateway/createHandlers.ts';
import { createLoginPort } from '../gateway/createLoginPort.ts';
import { createServer, type HttpListener } from '../gateway/createServer.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { createAccessTokens } from '../gateway/identity/accessToken.ts';
import { trustedProxySet } from '../gateway/identity/clientAddress.ts';
import { findJwtSecret } from '../gateway/identity/jwtSecret.ts';
import { startSignatureRecovery } from '../gateway/identity/startSignatureRecovery.ts';
import type { PageFacts } from '../gateway/pages/pageHtml.ts';
import { type PageBuild, startPageBuild } from '../gateway/pages/startPageBuild.ts';
import { prepareDocuments } from '../gateway/prepareDocuments.ts';
import { socketsPerAddressMax } from '../gateway/rateLimits.ts';
import type { SocketCeilings } from '../gateway/sockets/socketCounts.ts';
import type { WorkerFigures } from '../gateway/workers/startGatewayWorkers.ts';
import { readOrCreateSecretFile } from '../secrets/secretFile.ts';
import { systemClock } from '../std/clock.ts';
import { fileDisk } from '../std/disk.ts';
import type { ChosenConfig } from './chooseWorkers.ts';
import { createAlarms } from './createAlarms.ts';
import type { FactShare } from './createFactShare.ts';
import { createGapHoles, type GapHoles } from './createGapHoles.ts';
import { createMetrics, type MetricsOptions } from './createMetrics.ts';
import { createPulse } from './createPulse.ts';
import { createRiskSummary } from './createRiskSummary.ts';
import {
  type DescriptorRoom,
  descriptorRoom,
  descriptorWarning,
  operatorBounds,
  readDescriptors,
} from './descriptorRoom.ts';
import { faucetAmount } from './faucetAmount.ts';
import type { Journal } from './journal.ts';
import { liquidationReport } from './liquidationReport.ts';
import { type ClientListener, listenToClients, noWorkers } from './listenToClients.ts';
import { createTextCache } from './metrics/createTextCache.ts';
import type { Core } from './openCore.ts';
import { sourcesOf } from './openFeeds.ts';
import { readExamples } from './readExamples.ts';
import { releaseVersion } from './releaseVersion.ts';
import { shareLastUsed } from './shareLastUsed.ts';
import { shareListenKeys } from './shareListenKeys.ts';
import { type ClusterStanding, standingMembers } from './standingMembers.ts';

export type OpenSurface = {
  readonly config: ChosenConfig;
  readonly core: Core;
  readonly journal: Journal;
  /** The operator's prices. */
  readonly manualPrices: ManualPrices;
  /** Of a process with a log in PostgreSQL. */
  readonly standing: (() => ClusterStanding) | undefined;
  /** Whether this process writes what all of them share. */
  readonly holds: () => boolean;
  /** How the chain service of this process stands; undefined: it runs none. */
  readonly chain: () => ChainStanding | undefined;
};

export type Surface = {
  readonly gateway: Gateway;
  readonly operatorToken: string;
  readonly operatorServer: HttpListener;
  /** Makes what clients can read without asking the engine, before it serves them. */
  readonly prepare: () => Promise<void>;
  /** Starts to serve clients at this port; called once. */
  readonly listen: (port: number) => Promise<ClientListener>;
  /** Answers the requests that have come, then closes every connection. */
  readonly close: () => Promise<void>;
};

/** AUTH-8: how often the exchange writes the times at which keys were last used. */
const lastUsedMs = 60_000;
const megabyte = 1024 * 1024;
/** The maximum age of the metrics' text. Making it takes the trading thread 3 ms. */
const metricsMs = 1000;
/** How often streams are checked for messages, while a socket is open and while none is. */
const streamsMs = { oftenMs: 25, seldomMs: 250 };
/** How often alarms for the operator are checked. */
const alarmsMs = 1000;
/** How long a stop waits for requests that are still being answered. */
const closingMs = 3000;

/** Does not listen yet. */
export function openSurface(options: OpenSurface): Surface {
  const { config, core, journal } = options;
  const { path } = core.directory;
  const given = config.jwtSecret === '' ? undefined : config.jwtSecret;
  const jwtSecret = findJwtSecret({ directory: path, given, randomBytes });
  const operatorToken =
    config.operatorToken !== ''
      ? config.operatorToken
      : readOrCreateSecretFile(join(path, 'operator-token'), randomBytes);
  for (const secret of [jwtSecret, operatorToken]) journal.keepSecret(secret);
  const recovery = startSignatureRecovery();
  let clients: ClientListener | undefined;
  const workers = (): WorkerFigures => clients?.figures() ?? noWorkers;
  const connections = (): ConnectionFigures => clients?.connections() ?? createConnectionFigures();
  const descriptors = readDescriptors();
  const room = descriptorRoom(descriptors, config.workers);
  const warning = descriptorWarning(descriptors, room);
  if (warning !== undefined) journal.warn(warning);
  const gapHoles = createGapHoles({ ask: core.archivist.gapHoles, clock: systemClock });
  const figures = { workers, connections, gapHoles };
  const page = startPageBuild({
    facts: factsOf(config),
    early: config.warmUp,
    report: journal.error,
  });
  const parts = { jwtSecret, operatorToken, recovery, figures, room, page };
  const gateway = gatewayOf(options, { ...parts, onFirstSocket: () => streaming.quicken() });
  const streaming = createPulse(gateway.streams.tick, streamsMs);
  const { whenDurable, exchange } = core.replica;
  core.orders?.serve({ exchange, limits: gateway.limits, keys: gateway.keys });
  const operatorRows = recordActs(operatorListenerOperations, (act) =>
    whenDurable(() => journal.act(act)),
  );
  const operatorServer = createServer(createHandlers(gateway, operatorRows), operatorRows, {
    bounds: operatorBounds,
  });
  const listen = async (port: number): Promise<ClientListener> => {
    clients = await listenToClients({ ...config, port }, gateway, { journal, room });
    return clients;
  };
  const prepare = (): Promise<void> => prepareDocuments(gateway, publicOperations);
  const flushing = setInterval(gateway.lastUsed.flush, lastUsedMs);
  const watch = createWatch(options, gapHoles);
  const watching = setInterval(watch, alarmsMs);
  const close = async (): Promise<void> => {
    clearInterval(flushing);
    clearInterval(watching);
    streaming.stop();
    gateway.streams.close();
    await Promise.all([clients?.close(closingMs), closeServer(operatorServer, closingMs)]);
    await gateway.lastUsed.flush();
    // What happened since the last check goes into the journal too.
    watch();
    await Promise.all([recovery.close(), page.close()]);
  };
  return { gateway, operatorToken, operatorServer, prepare, listen, close };
}

/** What the operator should hear of; to be called about once a second. */
function createWatch({ core, journal }: OpenSurface, gapHoles: GapHoles): () => void {
  const { replica } = core;
  const alarms = createAlarms({ replica, gapHoles, clock: systemClock, alarm: journal.error });
  const summary = createRiskSummary({ replica, report: journal.warn });
  return () => {
    gapHoles.check();
    alarms.check();
    summary.check();
  };
}

type Parts = {
  readonly jwtSecret: string;
  readonly operatorToken: string;
  readonly recovery: ReturnType<typeof startSignatureRecovery>;
  /** For the metrics. */
  readonly figures: Pick<MetricsOptions, 'workers' | 'connections' | 'gapHoles'>;
  readonly room: DescriptorRoom;
  readonly page: PageBuild;
  /** A socket opens and no other one is open. */
  readonly onFirstSocket: () => void;
};

const factsOf = ({ chain: chainId }: Config): PageFacts => ({
  chainId,
  version: releaseVersion(),
  isMainnet: chains[chainId] === 'mainnet',
});

function gatewayOf(
  { config, core, journal, manualPrices, standing, holds, chain }: OpenSurface,
  parts: Parts,
): Gateway {
  const { replica, secretStore, secretStoreWriter, archivist } = core;
  const { jwtSecret, operatorToken, recovery, figures, room, page, onFirstSocket } = parts;
  const { chain: chainId } = config;
  const clock = systemClock;
  const tokens = createAccessTokens(jwtSecret, chainId);
  const metrics = createMetrics({
    replica,
    chain,
    clock,
    streams: () => gateway.streams.figures(),
    readers: { archivist: archivist.progress, history: core.historian },
    history: { historian: core.historian, reads: core.history.figures },
    invariantFailures: archivist.invariantFailures,
    ...figures,
    standing,
    disk: {
      freeBytes: () => fileDisk.freeBytes(core.directory.log),
      freeBytesMin: config.freeDiskMin * megabyte,
    },
  });
  const { exchange } = replica;
  const tallies = core.uses?.tallies;
  const login = { chainId, clock, jwtSecret, tokens, recovery, randomBytes, exchange, tallies };
  const gateway = createGateway({
    ...{ chainId, version: releaseVersion() },
    ...(standing !== undefined && { standing: () => standingMembers(standing()) }),
    ...{ holds, clock, replica },
    ...{ secretStore, secretStoreWriter, keyArrivals: core.keyArrivals, tallies, tokens },
    ...(core.facts && newsOf(jwtSecret, core.facts)),
    connectionNumbers: core.connectionNumbers,
    login: createLoginPort(login),
    archivist,
    history: core.history.ask,
    manualPrices,
    ...{ indexSourcesOf: sourcesOf(config), vault: config.vault.toLowerCase() },
    ...{ isMainnet: chains[chainId] === 'mainnet', faucet: faucetAmount(config) },
    ...{ liquidation: () => liquidationReport(chain()), chain, randomBytes },
    metrics: createTextCache(metrics.text, metricsMs),
    streams: { onFirst: onFirstSocket },
    ...{ examples: readExamples(), page: page.port },
    operatorToken,
    trustedProxies: trustedProxySet(config.trustedProxies),
    metricsFrom: config.metricsFrom,
    rateLimitScale: config.rateLimitScale,
    socketCeilings: socketCeilingsOf(config, room),
    onFault: (error, operation) => {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      journal.error(`fault in ${operation}: ${detail}`);
    },
    onServed: (served) => {
      metrics.onServed(served);
      journal.served(served);
    },
  });
  return gateway;
}

/** What processes say to each other of keys. */
const newsOf = (jwtSecret: string, facts: FactShare) => ({
  listenKeyNews: shareListenKeys(jwtSecret, facts),
  lastUsedNews: shareLastUsed(facts),
});

/** The usual ceilings, reduced to what the limit of descriptors allows. */
function socketCeilingsOf({ rateLimitScale }: Config, { sockets }: DescriptorRoom): SocketCeilings {
  return { perAddress: Math.min(socketsPerAddressMax * rateLimitScale, sockets), all: sockets };
}
