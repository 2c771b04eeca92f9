// What a start prepares while its log is being recovered: the engine and its warming up, and how
// the state is made of the newest snapshot and the log.

import { openLogReader } from '../log/file/openLogReader.ts';
import type { LogHead } from '../log/log.ts';
import { keepEngine, openKeptEngines } from '../replica/keptEngines.ts';
import {
  type ReadSnapshots,
  type Recovered,
  readSnapshots,
  recoverState,
} from '../replica/recoverState.ts';
import { createSkipIndex, type SkipRecord } from '../replica/skipIndex.ts';
import { warmEngine } from '../replica/warmEngine.ts';
import { fileDisk } from '../std/disk.ts';
import type { DataDirectory } from './dataDirectory.ts';
import type { OpenCore } from './openCore.ts';

export type Preparation = {
  readonly engineHash: string;
  /** Reads the newest snapshot before the head is known. */
  readonly read: () => ReadSnapshots;
  /** Makes the state of the log, up to its head. */
  readonly recover: (
    skips: readonly SkipRecord[],
    head: LogHead,
    read?: ReadSnapshots,
  ) => Recovered;
};

export async function prepareRecovery(
  { config, journal }: OpenCore,
  directory: DataDirectory,
): Promise<Preparation> {
  // Before the first batch that names it.
  const engineHash = await keepEngine(directory.engines);
  const engines = openKeptEngines(directory.engines, engineHash);
  // Before the replay: behind it, the next commands would take twice as long (decision 25).
  if (config.warmUp) warmEngine();
  const source = {
    disk: fileDisk,
    snapshotDirectory: directory.snapshots.directory,
    engines,
    report: (message: string): void => journal.warn(message),
  };
  const recover: Preparation['recover'] = (skips, head, read) =>
    recoverState({
      ...source,
      ...(read && { read }),
      log: openLogReader(directory.log),
      chainId: config.chain,
      skips: createSkipIndex(skips),
      head,
    });
  return { engineHash, read: () => readSnapshots(source), recover };
}
