// The part of the exchange that does not use the network: the log, the state recovered from it, the
// secrets, the replica that trades and the archivist that follows it.

import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WaitingArchivist } from '../archivist/startArchivist.ts';
import type { Config } from '../config.ts';
import { allApiKeys } from '../engine/views/exchange.ts';
import type { KeyArrivals } from '../gateway/keyArrivals.ts';
import { type ConnectionNumbers, connectionNumbersOf } from '../link/connectionNumbers.ts';
import { openFileLog } from '../log/file/openFileLog.ts';
import { readSkips } from '../log/file/skip.ts';
import type { Log, LogPlace } from '../log/log.ts';
import type { Servers } from '../log/postgres/createServers.ts';
import { activateEngine } from '../replica/activateEngine.ts';
import { createFollowingReplica } from '../replica/createFollowingReplica.ts';
import { createReplica } from '../replica/createReplica.ts';
import type { Recovered } from '../replica/recoverState.ts';
import type { RunningReplica } from '../replica/replica.ts';
import { createSkipIndex, type SkipRecord } from '../replica/skipIndex.ts';
import { openSecretStore } from '../secrets/openSecretStore.ts';
import type {
  Kept,
  SealedSecretStoreWriter,
  SecretStore,
  SecretStoreWriter,
} from '../secrets/secretStore.ts';
import { startSecretStoreWriter } from '../secrets/startSecretStoreWriter.ts';
import { must } from '../std/assert.ts';
import { systemClock } from '../std/clock.ts';
import { awaitTurn } from './awaitTurn.ts';
import type { FactShare } from './createFactShare.ts';
import { createForwarder } from './createForwarder.ts';
import type { OrderShare } from './createOrderShare.ts';
import { createReadBarrier } from './createReadBarrier.ts';
import { createShortage } from './createShortage.ts';
import type { UseShare } from './createUseShare.ts';
import { type DataDirectory, makeDataDirectory } from './dataDirectory.ts';
import { checkLogInFiles } from './deploymentMark.ts';
import { type Candidate, enterCluster, type Seat } from './enterCluster.ts';
import { followHolder } from './followHolder.ts';
import type { Journal } from './journal.ts';
import { type Leading, leadFollowers } from './leadFollowers.ts';
import { type Followers, openFollowers } from './openFollowers.ts';
import { openMemberSecrets } from './openMemberSecrets.ts';
import { loadShared } from './openSharedSecrets.ts';
import { prepareRecovery } from './prepareRecovery.ts';
import { shareEngines } from './shareEngines.ts';
import type { ClusterStanding } from './standingMembers.ts';
import { awaitLogArchivist } from './startLogArchivist.ts';

export type Core = Followers & {
  readonly directory: DataDirectory;
  readonly recovered: Recovered;
  readonly secretStore: SecretStore;
  /** Writes that secret store. */
  readonly secretStoreWriter: SecretStoreWriter;
  /** The keys that other processes of the deployment make. */
  readonly keyArrivals: KeyArrivals | undefined;
  /** What the processes of the deployment know beside the log. */
  readonly facts?: FactShare;
  /** The limits that they share: of orders, and others. */
  readonly orders?: OrderShare;
  readonly uses?: UseShare;
  /** The numbers that this process gives to connections. */
  readonly connectionNumbers?: ConnectionNumbers;
  /** The armed connections that no process serves; absent where that is all of them. */
  readonly lostConnections?: () => readonly number[];
  readonly replica: RunningReplica;
  /**
   * Of a process that follows: resolves when its replica writes. Rejects with `StoppedWaiting`, and
   * with what stops the process. undefined: the replica writes from the start.
   */
  readonly promotion?: Promise<void>;
  /** Makes everything applied durable, takes a snapshot, and releases the directory. */
  readonly close: () => Promise<void>;
};

export type OpenCore = {
  readonly config: Config;
  readonly journal: Journal;
  /** Called once: the process must stop, and no command is acknowledged any more. */
  readonly onFatal: (error: Error) => void;
  /** Resolves when the operator stops the process. */
  readonly stopped: Promise<unknown>;
  /** Receives what says how a process with a log in PostgreSQL stands. */
  readonly stand: (standing: () => ClusterStanding) => void;
};

/** How often the exchange's time may advance without traffic, and how often memory is checked. */
const tickMs = 200;
const megabyte = 1024 * 1024;

export async function openCore(options: OpenCore): Promise<Core> {
  const { config } = options;
  const directory = makeDataDirectory(config.data, config.chain);
  if (config.cluster !== '') return openOnPostgres(options, directory);
  const opened = await openOnFiles(options, directory);
  try {
    return await openOnLog(options, directory, opened);
  } catch (error) {
    await opened.waiting?.worker.terminate();
    await opened.log.close();
    throw error;
  }
}

type Opened = {
  readonly log: Log;
  /** Other processes follow this one: what its replica takes for them. */
  readonly lead?: () => Leading['writing'];
  readonly recovered: Recovered;
  readonly skips: readonly SkipRecord[];
  /** The archivist's thread, if it has been started already. */
  readonly waiting?: WaitingArchivist;
  readonly openSecrets: () => Promise<OpenedSecrets>;
};

export type OpenedSecrets = {
  readonly store: SecretStore;
  /** What else a write of a secret must reach. */
  readonly share: (local: SecretStoreWriter) => SecretStoreWriter;
  /** Called at the log's end, before anything is served. */
  readonly sweep: (kept: Kept) => void;
  /** Called with the replica that serves. */
  readonly serve: (
    replica: RunningReplica,
    writer: SealedSecretStoreWriter,
  ) => KeyArrivals | undefined;
  readonly close: () => void;
};

async function openOnFiles(options: OpenCore, directory: DataDirectory): Promise<Opened> {
  checkLogInFiles(directory.path);
  // Its thread recovers the log while this one reads the snapshot.
  const opening = openFileLog({
    directory: directory.log,
    segmentBytes: options.config.segmentSize * megabyte,
  });
  // A directory that is in use is refused before anything of it is read.
  await Promise.race([opening, nextTurn()]);
  // It takes half a second to load its program.
  const waiting = awaitLogArchivist(options.config);
  try {
    const { recover, read } = await prepareRecovery(options, directory);
    const snapshots = read();
    const log = await opening;
    const skips = readSkips(directory.log);
    const openSecrets = async (): Promise<OpenedSecrets> => openOwnSecrets(options, directory);
    const recovered = recover(skips, log.head(), snapshots);
    return { log, skips, recovered, waiting, openSecrets };
  } catch (error) {
    await waiting.worker.terminate();
    const log = await opening;
    await log.close();
    throw error;
  }
}

async function openOnPostgres(options: OpenCore, directory: DataDirectory): Promise<Core> {
  const { config } = options;
  const { recover, engineHash } = await prepareRecovery(options, directory);
  const loadSkips = (servers: Servers): Promise<readonly SkipRecord[]> =>
    loadShared({ config, directory }, servers);
  const candidate = await enterCluster({ ...options, directory, engineHash, loadSkips, recover });
  try {
    const turn = await awaitTurn(candidate);
    return turn.kind === 'follow'
      ? await openFollowing(candidate, turn.place)
      : await openSeated(candidate, turn.seat);
  } catch (error) {
    await candidate.thread.close();
    throw error;
  }
}

/** Other processes follow this one. */
async function openSeated(candidate: Candidate, seat: Seat): Promise<Core> {
  const { options, link } = candidate;
  const { log } = seat;
  let leading: Leading | undefined;
  const lead = (): Leading['writing'] => {
    leading = leadFollowers(seat, { engineHash: options.engineHash, ...link });
    link.orders.lead([]);
    return leading.writing;
  };
  const openSecrets = async (): Promise<OpenedSecrets> => {
    const secrets = await openMemberSecrets(candidate);
    return {
      ...secrets,
      serve: (replica, writer) => {
        secrets.sweepAs(seat, replica);
        return secrets.serve(replica, writer);
      },
    };
  };
  // Before the first batch that names them.
  await shareEngines(candidate, seat);
  const opened = { ...candidate, log, lead, openSecrets };
  const core = await openOnLog(options, options.directory, opened);
  const { serve, listen, leave, tick, lost } = must(leading, 'the replica that writes leads');
  serve(core.replica);
  link.lead(listen);
  candidate.thread.onLeaving(leave);
  const ticking = setInterval(tick, tickMs);
  const close = (): Promise<void> => {
    clearInterval(ticking);
    return core.close().finally(link.close);
  };
  const { facts, orders, uses } = link;
  const connectionNumbers = connectionNumbersOf(seat.holder);
  const lostConnections = (): readonly number[] => lost.among(core.replica.exchange);
  return { ...core, facts, orders, uses, connectionNumbers, lostConnections, close };
}

/** Serves what another process writes, until this process has the lease and writes itself. */
async function openFollowing(candidate: Candidate, place: LogPlace): Promise<Core> {
  const { options, recovered, skips, thread, link } = candidate;
  const { config, journal, onFatal, directory } = options;
  const { state } = recovered;
  const secrets = await openMemberSecrets(candidate);
  const secretStore = secrets.store;
  const masterKey = masterKeyOf(config);
  const localWriter = startSecretStoreWriter(secretStore, { directory: directory.path, masterKey });
  const secretStoreWriter = secrets.share(localWriter);
  const { facts, orders, uses } = link;
  const forwarder = createForwarder({
    ...{ process: candidate.holder, position: place.position, exchange: state.exchange, orders },
  });
  const barrier = createReadBarrier(place.position);
  const replica = createFollowingReplica({
    ...{ state, place, skips: createSkipIndex(skips), clock: systemClock },
    shortage: createShortage(directory, config, journal),
    ...{ forward: forwarder.forward, whenCurrent: barrier.whenCurrent },
    waiting: () => barrier.waiting() + forwarder.waiting(),
  });
  const keyArrivals = secrets.serve(replica, localWriter);
  const durablePosition = (): number => replica.head().position;
  const read = { config, directory, skips, state, journal, onFatal };
  const followers = openFollowers({ ...read, durablePosition, follows: true });
  const { archivist } = followers;
  let leading: Leading | undefined;
  const ticking = setInterval(() => {
    leading?.tick();
    forwarder.tick();
    barrier.tick();
    replica.tick();
  }, tickMs);
  const promote = async (seat: Seat): Promise<void> => {
    const { hash: engineHash } = state.engines.present;
    leading = leadFollowers(seat, { engineHash, facts, orders, uses });
    replica.promote({ ...leading.writing, onFatal, onDurable: archivist.follow });
    leading.serve(replica);
    // The connections of the process before end before anything else is written.
    leading.tick();
    forwarder.handOver(replica);
    barrier.lift();
    secrets.sweepAs(seat, replica);
    shareEngines(candidate, seat).catch((error: Error) => journal.warn(error.message));
    link.lead(leading.listen);
    thread.onLeaving(leading.leave);
    // Trading does not wait for it.
    await followers.takeHistory();
  };
  const following = { candidate, replica, place, archivist, forwarder, barrier };
  const promotion = followHolder(following).then(promote);
  promotion.catch((error: Error) => showNothing(replica, error, onFatal));
  const close = (): Promise<void> =>
    closeCore({
      ...{ ...followers, replica, log: thread, secretStore, secretStoreWriter, ticking, journal },
      closeShared: secrets.close,
    }).finally(link.close);
  const opened = { directory, recovered, secretStore, secretStoreWriter, keyArrivals, replica };
  const shared = { facts, orders, uses, connectionNumbers: connectionNumbersOf(candidate.holder) };
  return { ...followers, ...opened, ...shared, promotion, close };
}

/** What a process shows that cannot follow may be wrong, so it shows nothing more. */
function showNothing(
  { stop }: Pick<RunningReplica, 'stop'>,
  error: Error,
  onFatal: OpenCore['onFatal'],
): void {
  stop();
  if (error.name !== 'StoppedWaiting') onFatal(error);
}

function openOwnSecrets({ config }: OpenCore, { path }: DataDirectory): OpenedSecrets {
  const store = openSecretStore({ directory: path, masterKey: masterKeyOf(config), randomBytes });
  return {
    store,
    share: (local) => local,
    sweep: store.sweep,
    serve: () => undefined,
    close: () => {},
  };
}

const masterKeyOf = ({ masterKey }: Config): string | undefined =>
  masterKey === '' ? undefined : masterKey;

async function openOnLog(
  { config, journal, onFatal }: OpenCore,
  directory: DataDirectory,
  { log, lead, recovered, skips, waiting, openSecrets }: Opened,
): Promise<Core> {
  const { state } = recovered;
  const { snapshots } = directory;
  await activateEngine({ recovered, log, snapshots, report: (message) => journal.info(message) });
  const secrets = await openSecrets();
  const secretStore = secrets.store;
  // What was written for a command that never came into the log belongs to no account.
  secrets.sweep(keptBy(state));
  const masterKey = masterKeyOf(config);
  const localWriter = startSecretStoreWriter(secretStore, { directory: directory.path, masterKey });
  const secretStoreWriter = secrets.share(localWriter);
  const read = { config, directory, skips, state, journal, onFatal };
  const durablePosition = (): number => log.head().position;
  const followers = openFollowers({ ...read, durablePosition, follows: false, waiting });
  const replica = createReplica({
    ...{ state, log, ...lead?.() },
    clock: systemClock,
    onFatal,
    onDurable: followers.archivist.follow,
    shortage: createShortage(directory, config, journal),
  });
  const keyArrivals = secrets.serve(replica, localWriter);
  const ticking = setInterval(replica.tick, tickMs);
  const close = (): Promise<void> =>
    closeCore({
      ...{ ...followers, replica, log, secretStore, secretStoreWriter, ticking, journal },
      closeShared: secrets.close,
    });
  const opened = { directory, recovered, secretStore, secretStoreWriter, keyArrivals, replica };
  return { ...followers, ...opened, close };
}

/** The secrets that commands of the log name. */
function keptBy({ exchange }: Recovered['state']): Kept {
  const apiKeys = [...allApiKeys(exchange)];
  return {
    apiKeys: new Set(apiKeys.map(({ apiKey }) => apiKey)),
    refs: new Set(apiKeys.map(({ profile }) => profile)),
  };
}

type Closing = Followers & {
  readonly replica: RunningReplica;
  readonly log: Pick<Log, 'close'>;
  readonly secretStore: SecretStore;
  readonly secretStoreWriter: SecretStoreWriter;
  /** After the writes that were asked. */
  readonly closeShared: () => void;
  readonly ticking: NodeJS.Timeout;
  readonly journal: Journal;
};

async function closeCore(closing: Closing): Promise<void> {
  const { replica, archivist, history, log, secretStore, secretStoreWriter, ticking, journal } =
    closing;
  clearInterval(ticking);
  await replica.drain();
  replica.stop();
  try {
    const { position } = await archivist.snapshot();
    journal.info(`snapshot of batch ${position}`);
  } catch (error) {
    // The log has everything; only the next start takes longer.
    journal.warn(`no snapshot at the end: ${(error as Error).message}`);
  }
  // History is written up to here before it ends, unless the database does not answer.
  await archivist.close();
  await history.close();
  await log.close();
  await secretStoreWriter.close();
  closing.closeShared();
  secretStore.close();
}
