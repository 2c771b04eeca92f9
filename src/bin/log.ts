// `evermark log skip POSITION INDEX`, `evermark log skip POSITION batch` and `evermark log
// archive`: what an operator does to the log itself.

import { ConfigError, loadConfig } from '../config.ts';
import { archiveSegments } from '../log/file/archiveSegments.ts';
import { lockDirectory } from '../log/file/lockDirectory.ts';
import { readBatches } from '../log/file/readBatches.ts';
import { readLogHead } from '../log/file/readLogHead.ts';
import { appendSkip } from '../log/file/skip.ts';
import type { LogBatch } from '../log/log.ts';
import { readActivation } from '../replica/activation.ts';
import { wholeBatch } from '../replica/skipIndex.ts';
import { listSnapshots } from '../replica/snapshotFile.ts';
import { findDataDirectory } from './dataDirectory.ts';
import type { VerbIo } from './operatorVerb.ts';
import { splitArguments } from './splitArguments.ts';

const usage =
  'usage: evermark log skip POSITION INDEX | log skip POSITION batch | log archive, ' +
  'each with [--data DIR]';

/** Gives the exit code. */
export async function runLog(args: readonly string[], io: VerbIo): Promise<number> {
  const { words, flags } = splitArguments(args);
  const [verb, ...rest] = words;
  const { data } = loadConfig(flags, io.environment);
  if (verb === 'skip' && rest.length === 2) {
    const [position, index] = rest as [string, string];
    return skip(io, data, readNumber(position), index === 'batch' ? wholeBatch : readNumber(index));
  }
  if (verb === 'archive' && rest.length === 0) return archive(io, data);
  throw new ConfigError(usage);
}

function readNumber(word: string): number {
  if (/^\d{1,15}$/.test(word)) return Number(word);
  throw new ConfigError(`"${word}" is no whole number. ${usage}`);
}

// Only at rest: a running replica has applied the command, one that starts would not.
function skip(io: VerbIo, data: string, position: number, index: number): number {
  const directory = findDataDirectory(data);
  const lock = lockDirectory(directory.log);
  try {
    const [batch] = position === 0 ? [] : readBatches(directory.log, position, position);
    if (batch === undefined) throw new ConfigError(`The log has no batch ${position}.`);
    const what =
      index === wholeBatch ? `batch ${position}` : `command ${index} of batch ${position}`;
    checkSkippable(batch, index, directory.log);
    const newest = listSnapshots(directory.snapshots).at(-1) ?? 0;
    if (newest >= position) {
      throw new ConfigError(
        `There is a snapshot of batch ${newest}, so ${what} has been applied. Only what stops ` +
          'the replay may be skipped.',
      );
    }
    appendSkip(directory.log, position, index);
    io.print(`every replica will pass over ${what}`);
    return 0;
  } finally {
    lock.release();
  }
}

function checkSkippable(batch: LogBatch, index: number, log: string): void {
  const { position, count } = batch;
  if (readActivation(batch) !== undefined) {
    throw new ConfigError(`Batch ${position} activates an engine; it cannot be skipped.`);
  }
  // Whoever waited for its commands was not answered. Of an earlier one they were.
  if (index === wholeBatch && position !== readLogHead(log).position) {
    throw new ConfigError(`Only the last batch of the log can be skipped whole, not ${position}.`);
  }
  if (index !== wholeBatch && index >= count) {
    throw new ConfigError(`Batch ${position} has ${count} commands, numbered from 0.`);
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
