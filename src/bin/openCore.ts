// The part of the exchange that does not use the network: the log, the state recovered from it, the
// secrets, the replica that trades and the archivist that follows it.

import { randomBytes } from 'node:crypto';
import v8 from 'node:v8';
import type { Config } from '../config.ts';
import { allApiKeys } from '../engine/views/exchange.ts';
import { openFileLog } from '../log/file/openFileLog.ts';
import { openLogReader } from '../log/file/openLogReader.ts';
import { readSkips } from '../log/file/skip.ts';
import type { Log } from '../log/log.ts';
import { activateEngine } from '../replica/activateEngine.ts';
import { createReplica } from '../replica/createReplica.ts';
import { keepEngine, openKeptEngines } from '../replica/keptEngines.ts';
import { type Recovered, recoverState } from '../replica/recoverState.ts';
import type { RunningReplica, Shortage } from '../replica/replica.ts';
import { createSkipIndex } from '../replica/skipIndex.ts';
import { warmEngine } from '../replica/warmEngine.ts';
import { openSecretStore } from '../secrets/openSecretStore.ts';
import type { SecretStore, SecretStoreWriter } from '../secrets/secretStore.ts';
import { startSecretStoreWriter } from '../secrets/startSecretStoreWriter.ts';
import { systemClock } from '../std/clock.ts';
import { fileDisk } from '../std/disk.ts';
import { type DataDirectory, makeDataDirectory } from './dataDirectory.ts';
import type { Journal } from './journal.ts';
import { type Followers, openFollowers } from './openFollowers.ts';

export type Core = Followers & {
  readonly directory: DataDirectory;
  readonly recovered: Recovered;
  readonly secretStore: SecretStore;
  /** Writes that secret store. */
  readonly secretStoreWriter: SecretStoreWriter;
  readonly replica: RunningReplica;
  /** Makes everything applied durable, takes a snapshot, and releases the directory. */
  readonly close: () => Promise<void>;
};

export type OpenCore = {
  readonly config: Config;
  readonly journal: Journal;
  /** Called once: the process must stop, and no command is acknowledged any more. */
  readonly onFatal: (error: Error) => void;
};

/** Above this share of V8's heap orders are refused. */
const heapShareMax = 0.8;
/** How often the exchange's time may advance without traffic, and how often memory is checked. */
const tickMs = 200;
const megabyte = 1024 * 1024;

export async function openCore(options: OpenCore): Promise<Core> {
  const { config } = options;
  const directory = makeDataDirectory(config.data, config.chain);
  const log = await openFileLog({
    directory: directory.log,
    segmentBytes: config.segmentSize * megabyte,
  });
  try {
    return await openOnLog(options, directory, log);
  } catch (error) {
    await log.close();
    throw error;
  }
}

async function openOnLog(
  { config, journal, onFatal }: OpenCore,
  directory: DataDirectory,
  log: Log,
): Promise<Core> {
  // Before the first batch that names it.
  const engineHash = await keepEngine(directory.engines);
  const engines = openKeptEngines(directory.engines, engineHash);
  const skips = readSkips(directory.log);
  // Before the replay, which gains from it too.
  warmEngine();
  const recovered = recoverState({
    disk: fileDisk,
    log: openLogReader(directory.log),
    snapshotDirectory: directory.snapshots.directory,
    chainId: config.chain,
    skips: createSkipIndex(skips),
    head: log.head(),
    engines,
    report: (message) => journal.warn(message),
  });
  const { state } = recovered;
  const { snapshots } = directory;
  await activateEngine({ recovered, log, snapshots, report: (message) => journal.info(message) });
  const masterKey = config.masterKey === '' ? undefined : config.masterKey;
  const secretStore = openSecretStore({ directory: directory.path, masterKey, randomBytes });
  // What was written for a command that never came into the log belongs to no account.
  const apiKeys = [...allApiKeys(state.exchange)];
  secretStore.sweep({
    apiKeys: new Set(apiKeys.map(({ apiKey }) => apiKey)),
    refs: new Set(apiKeys.map(({ profile }) => profile)),
  });
  const secretStoreWriter = startSecretStoreWriter(secretStore, {
    directory: directory.path,
    masterKey,
  });
  const followers = openFollowers({ config, directory, log, skips, state, journal, onFatal });
  const replica = createReplica({
    state,
    log,
    clock: systemClock,
    onFatal,
    onDurable: followers.archivist.follow,
    shortage: createShortage(directory, config, journal),
  });
  const ticking = setInterval(replica.tick, tickMs);
  const close = (): Promise<void> =>
    closeCore({ ...followers, replica, log, secretStore, secretStoreWriter, ticking, journal });
  return { ...followers, directory, recovered, secretStore, secretStoreWriter, replica, close };
}

type Closing = Followers & {
  readonly replica: RunningReplica;
  readonly log: Log;
  readonly secretStore: SecretStore;
  readonly secretStoreWriter: SecretStoreWriter;
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
  secretStore.close();
}

/** The resources that are short; logs each change. */
function createShortage(
  directory: DataDirectory,
  { freeDiskMin }: Config,
  journal: Journal,
): () => Shortage | undefined {
  let shortage: Shortage | undefined;
  return () => {
    const found = findShortage(directory, freeDiskMin);
    if (found !== shortage) {
      if (found !== undefined) journal.error(`orders are refused: ${shortageTexts[found]}`);
      else journal.info('orders are taken again');
      shortage = found;
    }
    return shortage;
  };
}

const shortageTexts: Readonly<Record<Shortage, string>> = {
  memoryShort: 'memory is short',
  diskFull: 'the disk has too little room',
};

function findShortage({ log }: DataDirectory, freeDiskMin: number): Shortage | undefined {
  const heap = v8.getHeapStatistics();
  if (heap.used_heap_size > heapShareMax * heap.heap_size_limit) return 'memoryShort';
  return fileDisk.freeBytes(log) < freeDiskMin * megabyte ? 'diskFull' : undefined;
}
