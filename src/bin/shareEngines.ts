// The sources of the engines that ran a log in PostgreSQL are rows there, so that each process of
// the deployment can replay the log from its beginning. The holder of the lease writes them, before
// the first batch that names them; every process keeps them in its data directory.

import { existsSync, readdirSync } from 'node:fs';
import { type KeptSession, keepSession } from '../log/postgres/catchUp.ts';
import {
  openLeaseWriter,
  readEngineHashes,
  readPackedEngine,
  type SharedWriter,
} from '../log/postgres/sharedRows.ts';
import { putEngine } from '../log/postgres/sharedStatement.ts';
import { keepPackedEngine, packEngine } from '../replica/packedEngine.ts';
import { systemScheduler } from '../std/scheduler.ts';
import type { Candidate, Seat } from './enterCluster.ts';

/** The engines that are kept in the directory, damaged ones included. */
const keptIn = (engines: string): string[] =>
  existsSync(engines) ? readdirSync(engines).filter((name) => /^[0-9a-f]{64}$/.test(name)) : [];

/** Keeps every engine of the database in the directory, unless it is there. */
export async function fetchEngines(reading: KeptSession, engines: string): Promise<void> {
  await reading.use(async (session) => {
    const kept = new Set(keptIn(engines));
    for (const hash of await readEngineHashes(session)) {
      const packed = kept.has(hash) ? undefined : await readPackedEngine(session, hash);
      if (packed !== undefined) await keepPackedEngine(engines, hash, packed);
    }
  });
}

/**
 * The engines that ran the log, and the one that runs it now, come to all other processes. Rejects
 * when the lease is another's, or the database does not take them.
 */
export async function shareEngines(candidate: Candidate, seat: Seat): Promise<void> {
  const { servers, options, recovered } = candidate;
  const { directory, journal, config } = options;
  const { ran, engines } = recovered.state;
  const hashes = new Set([...ran.map(({ hash }) => hash), engines.present.hash]);
  const { replicatedStorage } = config;
  const reading = keepSession(servers);
  const shared = openLeaseWriter(servers, systemScheduler, { ...seat, replicatedStorage });
  const report = (message: string): void => journal.warn(message);
  try {
    await publishEngines({
      ...{ reading, shared, engines: directory.engines, report },
      hashes: [...hashes],
    });
  } finally {
    shared.end();
    reading.end();
  }
}

export type PublishEngines = {
  readonly reading: KeptSession;
  readonly shared: SharedWriter;
  /** The directory of the kept engines. */
  readonly engines: string;
  /** Those that the database must have; by default all that are kept. */
  readonly hashes?: readonly string[];
  /** Receives a sentence about an engine that cannot be shared. */
  readonly report: (message: string) => void;
};

/** Writes the engines that the database does not have. An engine that is not kept is reported. */
export async function publishEngines(options: PublishEngines): Promise<void> {
  const { reading, shared, engines, hashes = keptIn(engines), report } = options;
  const there = new Set(await reading.use(readEngineHashes));
  for (const hash of hashes.filter((each) => !there.has(each))) {
    const sources = tryPack(engines, hash, report);
    if (sources !== undefined) await shared.write((as) => putEngine(as, { hash, sources }));
  }
}

function tryPack(
  engines: string,
  hash: string,
  report: (message: string) => void,
): Buffer | undefined {
  try {
    return packEngine(engines, hash);
  } catch (error) {
    report(`an engine cannot be shared with the other processes: ${(error as Error).message}`);
    return undefined;
  }
}
