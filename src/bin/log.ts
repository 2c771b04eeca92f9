// `evermark log skip POSITION INDEX` and `evermark log archive`: what an operator does to the log
// itself.

import { ConfigError, loadConfig } from '../config.ts';
import { archiveSegments } from '../log/file/archiveSegments.ts';
import { lockDirectory } from '../log/file/lockDirectory.ts';
import { readBatches } from '../log/file/readBatches.ts';
import { appendSkip } from '../log/file/skip.ts';
import { listSnapshots } from '../replica/snapshotFile.ts';
import { findDataDirectory } from './dataDirectory.ts';
import type { VerbIo } from './operatorVerb.ts';
import { splitArguments } from './splitArguments.ts';

const usage = 'usage: evermark log skip POSITION INDEX | log archive, each with [--data DIR]';

/** Gives the exit code. */
export async function runLog(args: readonly string[], io: VerbIo): Promise<number> {
  const { words, flags } = splitArguments(args);
  const [verb, ...rest] = words;
  const { data } = loadConfig(flags, io.environment);
  if (verb === 'skip' && rest.length === 2) return skip(io, data, rest.map(readNumber));
  if (verb === 'archive' && rest.length === 0) return archive(io, data);
  throw new ConfigError(usage);
}

function readNumber(word: string): number {
  if (/^\d{1,15}$/.test(word)) return Number(word);
  throw new ConfigError(`"${word}" is no whole number. ${usage}`);
}

// Only at rest: a running replica has applied the command, one that starts would not.
function skip(io: VerbIo, data: string, numbers: readonly number[]): number {
  const [position, index] = numbers as [number, number];
  const directory = findDataDirectory(data);
  const lock = lockDirectory(directory.log);
  try {
    const [batch] = position === 0 ? [] : readBatches(directory.log, position, position);
    if (batch === undefined) throw new ConfigError(`The log has no batch ${position}.`);
    if (index >= batch.count) {
      throw new ConfigError(`Batch ${position} has ${batch.count} commands, numbered from 0.`);
    }
    const newest = listSnapshots(directory.snapshots).at(-1) ?? 0;
    if (newest >= position) {
      throw new ConfigError(
        `Command ${index} of batch ${position} has been applied: there is a snapshot of batch ` +
          `${newest}. Only what stops the replay may be skipped.`,
      );
    }
    appendSkip(directory.log, position, index);
    io.print(`every replica will pass over command ${index} of batch ${position}`);
    return 0;
  } finally {
    lock.release();
  }
}

// The two kept snapshots are what a start may begin from; segments below both are for history.
async function archive(io: VerbIo, data: string): Promise<number> {
  const directory = findDataDirectory(data);
  const oldest = listSnapshots(directory.snapshots).at(0) ?? 0;
  const archived = await archiveSegments(directory.log, oldest);
  for (const last of archived) io.print(`archived up to batch ${last}`);
  if (archived.length === 0) {
    io.print('nothing to archive: no full segment lies below the oldest snapshot');
  }
  return 0;
}
