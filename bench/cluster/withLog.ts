// A log in PostgreSQL as a process writes it, for batches of real orders.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabasePair, openDatabasePair } from '../../kills/openDatabasePair.ts';
import { deploymentChain } from '../../kills/openDeployment.ts';
import { until } from '../../kills/openMember.ts';
import { lockDirectory } from '../../src/log/file/lockDirectory.ts';
import type { Log, LogEntry } from '../../src/log/log.ts';
import { openPostgresThreadLog } from '../../src/log/postgres/openPostgresThreadLog.ts';
import { must } from '../../src/std/assert.ts';
import { createEngineLog } from '../engineLog.ts';
import { createStream, streamShapes } from '../orderStreams.ts';
import { say } from '../report.ts';

export type FilledLog = {
  readonly pair: DatabasePair;
  /** Written by the thread that a process has for it. */
  readonly log: Log;
  /** Resolves at the next acknowledgement. */
  readonly durable: () => Promise<void>;
  /** The next batch of the stream. */
  readonly entry: () => LogEntry;
  /** A directory of its own, removed with the rest. */
  readonly directory: string;
};

const seed = 20_251_010;
const segmentBytes = 64 * 1024 * 1024;
const leaseMs = 30_000;
/** The hash of no engine: these batches are never replayed. */
const engineHash = 'be'.repeat(32);

/** Opens an empty log with a stream of so many orders, and removes everything at the end. */
export async function withLog<T>(
  commands: number,
  measure: (filled: FilledLog) => Promise<T>,
): Promise<T> {
  const [shape] = streamShapes(seed, commands);
  const { batches } = createEngineLog(createStream(shape));
  const directory = mkdtempSync(join(tmpdir(), 'evermark-bench-'));
  const pair = await openDatabasePair(deploymentChain);
  let close = async (): Promise<void> => {};
  try {
    const own = join(directory, 'writer');
    const lock = lockDirectory(own);
    const thread = openPostgresThreadLog(
      {
        urls: pair.url(),
        ...{ replicatedStorage: false, holder: randomUUID(), address: 'bench', release: 'bench' },
        expected: { deployment: undefined, chain: deploymentChain },
        ...{ engineHash, directory: own, segmentBytes, snapshotPosition: 0, report: say },
      },
      lock,
    );
    close = thread.close;
    thread.becomeReady('');
    await until(() => thread.opened() !== undefined, {
      ...{ withinMs: leaseMs, or: 'the log did not get its lease' },
    });
    const { log } = thread.opened()!;
    let wake = (): void => {};
    log.onDurable(() => wake());
    const durable = (): Promise<void> =>
      new Promise((resolve) => {
        wake = resolve;
      });
    let next = 0;
    const entry = (): LogEntry => {
      const { time, bytes, commands: count } = must(batches[next], 'the stream is long enough');
      next += 1;
      return { time, engineHash, count, commands: bytes };
    };
    return await measure({ pair, log, durable, entry, directory });
  } finally {
    await close();
    await pair.remove();
    rmSync(directory, { recursive: true, force: true });
  }
}
