// `evermark history rebuild`: writes history anew from the log into an empty database, while no
// exchange runs on the directory. An exchange does the same by itself when it starts. This command
// reports its progress, and fills a database before clients wait for it.

import { HistoryNotEmpty, rebuildHistory } from '../archivist/rebuildHistory.ts';
import { ConfigError, loadConfig } from '../config.ts';
import { describeDatabase } from '../history/describeDatabase.ts';
import { openHistoryWriter } from '../history/openHistoryWriter.ts';
import { lockDirectory } from '../log/file/lockDirectory.ts';
import { openLogReader } from '../log/file/openLogReader.ts';
import { readSkips } from '../log/file/skip.ts';
import { openKeptEngines } from '../replica/keptEngines.ts';
import { createSkipIndex } from '../replica/skipIndex.ts';
import { createProgress } from '../std/progress.ts';
import { findDataDirectory } from './dataDirectory.ts';
import { historyWhere } from './historyWhere.ts';
import type { VerbIo } from './operatorVerb.ts';
import { splitArguments } from './splitArguments.ts';
import { usageOf } from './usages.ts';

const usage = usageOf('history');

/** Gives the exit code. */
export async function runHistory(args: readonly string[], io: VerbIo): Promise<number> {
  const { words, flags } = splitArguments(args);
  if (words.length !== 1 || words[0] !== 'rebuild') throw new ConfigError(usage);
  const config = loadConfig(flags, io.environment);
  const directory = findDataDirectory(config.data);
  const where = historyWhere(config, directory);
  const { chainId } = directory;
  const log = openLogReader(directory.log);
  // Otherwise two processes would write, from a log that grows meanwhile.
  const lock = lockDirectory(directory.log);
  const writer = openHistoryWriter({ ...where, chain: chainId });
  try {
    const toPosition = log.head().position;
    const skips = createSkipIndex(readSkips(directory.log));
    const progress = createProgress({ what: 'history', total: toPosition });
    const onWritten = ({ position }: { readonly position: number }): void =>
      progress.reached(position);
    const engines = openKeptEngines(directory.engines);
    const options = { writer, log, chainId, skips, engines, toPosition, onWritten };
    const { position, counters } = await rebuildHistory(options).finally(progress.end);
    io.print(
      `history up to batch ${position} is in ${describeDatabase(where)}: ` +
        `${counters.ledger} ledger rows`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof HistoryNotEmpty)) throw error;
    io.complain(
      `${describeDatabase(where)}: ${error.message}. Move the file away, or name an empty ` +
        'database; nothing was changed.',
    );
    return 1;
  } finally {
    await writer.close();
    lock.release();
  }
}
