// One start of the program, put together as in src/bin, over the world's disk and clock, with steps
// in place of every wait. A kill drops it between two steps and cancels everything that it planned.
// It has no threads, no sockets and no parsing of HTTP.

import type { ManualPrices } from '../../src/api/deployment.ts';
import { operatorOperations, publicOperations } from '../../src/api/operations.ts';
import { marketBySymbol } from '../../src/engine/views/exchange.ts';
import { createIndexPublisher } from '../../src/feeds/indexPublisher.ts';
import { createManualFeed } from '../../src/feeds/manualFeed.ts';
import { createGateway } from '../../src/gateway/createGateway.ts';
import { createLoginPort } from '../../src/gateway/createLoginPort.ts';
import type { Gateway } from '../../src/gateway/gateway.ts';
import { parseSocketPath } from '../../src/gateway/sockets/socketPath.ts';
import {
  createTradingHandler,
  type TradingHandler,
} from '../../src/gateway/sockets/tradingHandler.ts';
import { openLogReader } from '../../src/log/file/openLogReader.ts';
import { recoverLog } from '../../src/log/file/recoverLog.ts';
import { readSkips } from '../../src/log/file/skip.ts';
import { createReplica } from '../../src/replica/createReplica.ts';
import { endFormerConnections } from '../../src/replica/endFormerConnections.ts';
import { recoverState } from '../../src/replica/recoverState.ts';
import type { Replica, RunningReplica } from '../../src/replica/replica.ts';
import type { ReplicaState } from '../../src/replica/replicaState.ts';
import { createSkipIndex, type SkipIndex } from '../../src/replica/skipIndex.ts';
import { assert } from '../../src/std/assert.ts';
import type { Prng } from '../../src/std/prng.ts';
import type { Wire } from '../../src/streams/reader.ts';
import { defaultStreamBounds } from '../../src/streams/streamBounds.ts';
import type { Listener, Peer, PeerSession } from './createLifeNetwork.ts';
import type { LifePrices } from './createLifePrices.ts';
import { createLifeTokens } from './createLifeTokens.ts';
import { createSteppedLog, type SteppedLog } from './createSteppedLog.ts';
import { createSurface } from './createSurface.ts';
import { drawBytes } from './drawBytes.ts';
import { lifeRecovery } from './lifeWallet.ts';
import {
  chainId,
  countIn,
  engines,
  type LifeWorld,
  logDirectory,
  snapshotDirectory,
} from './lifeWorld.ts';
import type { Memory } from './memory.ts';
import { type Followers, startFollowers } from './startFollowers.ts';

export const operatorToken = 'the token of the operator of this life';

export type Program = Listener & {
  readonly state: ReplicaState;
  readonly replica: RunningReplica;
  readonly log: SteppedLog;
  readonly gateway: Gateway;
  readonly followers: Followers;
  readonly skips: SkipIndex;
  /** The position of the snapshot from which it began; 0: none. */
  readonly snapshot: number;
  readonly alive: () => boolean;
  /** Ends it at once. */
  readonly kill: () => void;
  /** As after SIGTERM: applied changes become durable, a snapshot is taken, history is written. */
  readonly stop: () => Promise<void>;
};

export type StartProgram = {
  readonly world: LifeWorld;
  readonly prng: Prng;
  readonly prices: LifePrices;
  readonly memory: Memory;
  /** Called once when it must stop. */
  readonly onFatal: (error: Error) => void;
};

const tickMs = 200;
const streamsMs = 25;
const lastUsedMs = 60_000;
/** Small enough that slow readers of a run are cut. */
const streamBounds = {
  ...defaultStreamBounds,
  backlogBytesMax: 48 * 1024,
  replayBytesMax: 16 * 1024,
};

/** The state of one start while it lasts. */
type Life = { alive: boolean; stopping: boolean; readonly deaths: Set<() => void> };

/**
 * Recovers and starts. Throws `LogDamaged`, `PoisonCommand`, and the errors of the disk; then
 * nothing has been started.
 */
export function startProgram(options: StartProgram): Program {
  const { world, prng, prices, memory } = options;
  const { disk } = world.disk;
  const life: Life = { alive: true, stopping: false, deaths: new Set() };
  const later = (milliseconds: number, step: () => void): (() => void) =>
    world.steps.after(milliseconds, () => {
      if (life.alive) step();
    });
  const every = (milliseconds: number, step: () => void): void => {
    later(milliseconds, () => {
      step();
      every(milliseconds, step);
    });
  };
  const report = (message: string): void => {
    world.options.tell?.(message);
    countIn(world, 'reports');
  };
  const { segmentBytes } = world.machine;
  const tail = recoverLog({ disk, directory: logDirectory }, segmentBytes);
  const skips = createSkipIndex(readSkips(logDirectory, disk));
  const recovered = recoverState({
    disk,
    log: openLogReader(logDirectory, disk),
    snapshotDirectory,
    chainId,
    skips,
    head: tail.head,
    engines,
    report,
  });
  const { state } = recovered;
  world.secretStore.sweep({
    apiKeys: new Set(state.exchange.apiKeys.keys()),
    refs: new Set([...state.exchange.apiKeys.values()].map(({ profile }) => profile)),
  });
  const log = createSteppedLog({
    disk: world.options.mistake === 'skipSync' ? { ...disk, syncData: () => {} } : disk,
    directory: logDirectory,
    segmentBytes,
    tail,
    later,
    syncMs: () => syncMsOf(world, prng),
    tellMs: () => prng.unit() * 0.4,
    eager: world.options.mistake === 'answerBeforeSync',
  });
  let replica: RunningReplica | undefined;
  const onFatal = (error: Error): void => {
    if (!life.alive) return;
    replica?.stop();
    options.onFatal(error);
  };
  const followers = startFollowers({
    world,
    skips,
    state,
    head: log.head,
    later,
    prng,
    report,
    onFatal,
  });
  replica = createReplica({
    state,
    log,
    clock: world.programClock,
    onFatal,
    onDurable: (figures) => {
      followers.onDurable(figures);
      // A stop that waits for the last batch continues before the next step may make another one.
      if (life.stopping) world.touched = true;
    },
    shortage: () => (disk.freeBytes(logDirectory) === 0 ? 'diskFull' : undefined),
    defer: (step) => void later(0, step),
  });
  const running = replica;
  // Before any client; what they send comes behind it in the log (COD-6).
  if (world.options.mistake !== 'keepArmed') endFormerConnections(running, report).catch(onFatal);
  const publisher = openPublisher(running, prices, later);
  const gateway = openGateway(world, {
    replica: memory.watch(running, state),
    followers,
    prng,
    later,
    prices: publisher.prices,
  });
  every(tickMs, () => {
    if (!life.stopping) running.tick();
  });
  every(streamsMs, gateway.streams.tick);
  every(lastUsedMs, gateway.lastUsed.flush);
  publisher.start();
  const trading = createTradingHandler(gateway);
  const end = (): void => {
    life.alive = false;
    running.stop();
    for (const die of [...life.deaths]) die();
    life.deaths.clear();
  };
  return {
    state,
    replica: running,
    log,
    gateway,
    followers,
    skips,
    snapshot: recovered.snapshot,
    public: createSurface(gateway, publicOperations),
    operator: createSurface(gateway, Object.values(operatorOperations)),
    connect: (path, client, peer) => openSocket(gateway, trading, { path, client, peer, later }),
    onDeath: (then) => {
      life.deaths.add(then);
      return () => life.deaths.delete(then);
    },
    alive: () => life.alive,
    kill: () => {
      end();
      followers.drop();
    },
    stop: async () => {
      life.stopping = true;
      publisher.stop().catch(onFatal);
      gateway.streams.close();
      await running.drain();
      // Followers would never see a batch that is applied here and becomes durable later.
      assert(state.position === log.head().position, 'a drained replica has no batch under way');
      await gateway.lastUsed.flush();
      running.stop();
      await followers.port.snapshot().catch((error: Error) => report(error.message));
      await followers.close();
      await log.close();
      end();
    },
  };
}

/** From fractions of a millisecond to several; for a while much more when the disk is slow. */
function syncMsOf(world: LifeWorld, prng: Prng): number {
  const usual = world.machine.syncMs * (0.3 + prng.unit());
  return world.steps.now() < world.slowUntil ? usual + prng.below(400) : usual;
}

type Later = (milliseconds: number, step: () => void) => () => void;

function openPublisher(
  replica: RunningReplica,
  prices: LifePrices,
  later: Later,
): {
  readonly start: () => void;
  readonly stop: () => Promise<void>;
  readonly prices: ManualPrices;
} {
  const manual = createManualFeed();
  const { exchange } = replica;
  const publisher = createIndexPublisher({
    feeds: [...prices.feeds, manual],
    marketOf: (symbol) => marketBySymbol(exchange, symbol),
    submit: (command) =>
      replica.submit(command, 'reserve', { capture: () => {}, release: () => {} }),
    clock: replica,
    scheduler: { after: later },
    report: () => {},
  });
  return {
    start: publisher.start,
    stop: publisher.stop,
    prices: {
      set: (symbol, price) => {
        const taken = manual.set(symbol, price);
        publisher.tickNow();
        return taken;
      },
      standing: manual.standing,
    },
  };
}

type OpenGateway = {
  readonly replica: Replica;
  readonly followers: Followers;
  readonly prng: Prng;
  readonly later: Later;
  readonly prices: ManualPrices;
};

function openGateway(world: LifeWorld, options: OpenGateway): Gateway {
  const { replica, followers, prng, later, prices } = options;
  const tokens = createLifeTokens();
  const randomBytes = (size: number): Buffer => drawBytes(prng, size);
  return createGateway({
    chainId,
    version: '0.0.0-life',
    clock: world.programClock,
    replica,
    secretStore: world.secretStore,
    tokens,
    login: createLoginPort({
      chainId,
      clock: world.programClock,
      jwtSecret: 'the secret of the tokens of this life',
      tokens,
      recovery: lifeRecovery,
      randomBytes,
      exchange: replica.exchange,
    }),
    archivist: followers.port,
    history: followers.ask,
    manualPrices: prices,
    indexSourcesOf: () => ['manual'],
    isMainnet: false,
    liquidation: () => ({
      enabled: false,
      keeperAddress: null,
      lastBlock: null,
      submissions: { pending: 0, submitted: 0, confirmed: 0, failed: 0 },
    }),
    randomBytes,
    metrics: async () => '',
    examples: {},
    operatorToken,
    trustedProxies: new Set(),
    streams: { bounds: streamBounds, defer: (step) => void later(0, step) },
    onFault: (error, operation) => {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      world.violate(`a fault in ${operation}: ${detail}`);
    },
  });
}

type Dialled = {
  readonly path: string;
  readonly client: string;
  readonly peer: Peer;
  readonly later: Later;
};

function openSocket(
  { streams }: Gateway,
  trading: TradingHandler,
  { path, client, peer, later }: Dialled,
): PeerSession | undefined {
  const opening = parseSocketPath(path);
  if (opening === undefined) return undefined;
  let backlog = 0;
  const wire: Wire = {
    send: (bytes, taken) => {
      backlog += bytes.length;
      peer.send(bytes.toString('utf8'), () => {
        backlog -= bytes.length;
        taken?.();
      });
    },
    sendShared: ({ texts }) => {
      for (const bytes of texts) wire.send(bytes);
    },
    backlog: () => backlog,
    ping: () => void later(1, () => session.onPong()),
    close: () => peer.close(),
    cut: () => peer.close(),
  };
  const session = streams.open({
    wire,
    client,
    opening,
    // The gateway limits the messages of an address; here every client belongs to the test.
    admitMessages: () => true,
    ...(opening.protocol === 'trading'
      ? { speaker: (reader) => trading({ reader, client, url: path }) }
      : {}),
  });
  return session;
}
