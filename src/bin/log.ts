// `evermark log skip POSITION INDEX`, `evermark log skip POSITION batch` and `evermark log
// archive`: the operator's actions on the log itself.

import { type Config, ConfigError, loadConfig } from '../config.ts';
import { archiveSegments } from '../log/file/archiveSegments.ts';
import { lockDirectory } from '../log/file/lockDirectory.ts';
import { openLogReader } from '../log/file/openLogReader.ts';
import { appendSkip, readSkips } from '../log/file/skip.ts';
import { type LogBatch, LogDamaged, type LogReader } from '../log/log.ts';
import { readActivation } from '../replica/activation.ts';
import { PoisonCommand } from '../replica/applyBatch.ts';
import { EngineRefused } from '../replica/engines.ts';
import { openKeptEngines } from '../replica/keptEngines.ts';
import { beginning, newestSnapshot } from '../replica/recoverState.ts';
import { replayLog } from '../replica/replayLog.ts';
import { createSkipIndex, type SkipRecord, wholeBatch } from '../replica/skipIndex.ts';
import { listSnapshots } from '../replica/snapshotFile.ts';
import { createProgress } from '../std/progress.ts';
import { type DataDirectory, findDataDirectory } from './dataDirectory.ts';
import { checkLogInFiles, readLogPlace } from './deploymentMark.ts';
import { createJournal } from './journal.ts';
import type { VerbIo } from './operatorVerb.ts';
import { skipShared } from './skipShared.ts';
import { splitArguments } from './splitArguments.ts';
import { usageLine } from './usages.ts';

const usage = usageLine('log');

/** For a replay that never ends with a message, because the command hangs or ends the process. */
const unproven = '--unproven';
const isSetting = (flag: string): boolean => flag !== unproven;

/** Gives the exit code. */
export async function runLog(args: readonly string[], io: VerbIo): Promise<number> {
  const { words, flags } = splitArguments(args);
  const [verb, ...rest] = words;
  const proven = !flags.includes(unproven);
  const config = loadConfig(verb === 'skip' ? flags.filter(isSetting) : flags, io.environment);
  if (verb === 'skip' && rest.length === 2) {
    const [position, index] = rest as [string, string];
    const at = { position: readNumber(position), index: readIndex(index) };
    return skip(io, config, at, proven);
  }
  if (verb === 'archive' && rest.length === 0) return archive(io, config.data);
  throw new ConfigError(usage);
}

function readNumber(word: string): number {
  if (/^\d{1,15}$/.test(word)) return Number(word);
  throw new ConfigError(`"${word}" is not a whole number. ${usage}`);
}

const readIndex = (word: string): number => (word === 'batch' ? wholeBatch : readNumber(word));

const nameOf = ({ position, index }: SkipRecord): string =>
  index === wholeBatch ? `batch ${position}` : `command ${index} of batch ${position}`;

// Only while no exchange runs: a running replica has applied the command, and one that starts would
// not.
async function skip(io: VerbIo, config: Config, at: SkipRecord, proven: boolean): Promise<number> {
  const { position, index } = at;
  const directory = findDataDirectory(config.data);
  const isShared = readLogPlace(directory.path) === 'postgres';
  if (!isShared) checkLogInFiles(directory.path);
  const lock = lockDirectory(directory.log);
  try {
    const check = (): void => checkMaySkip(directory, at, proven);
    if (isShared) await skipShared({ config, directory, check, at, report: io.complain });
    else check();
    appendSkip(directory.log, position, index);
    io.print(`every replica will skip ${nameOf(at)}`);
    const asked = { position, index: index === wholeBatch ? 'batch' : index, proven };
    createJournal('info').act({
      act: 'skipInLog',
      from: 'the command line',
      asked,
      before: undefined,
      after: { skips: readSkips(directory.log).length },
      refused: undefined,
    });
    return 0;
  } finally {
    lock.release();
  }
}

function checkMaySkip(directory: DataDirectory, at: SkipRecord, proven: boolean): void {
  const { position, index } = at;
  const log = openLogReader(directory.log);
  const [batch] = position === 0 ? [] : log.read(position, position);
  if (batch === undefined) throw new ConfigError(`The log has no batch ${position}.`);
  checkSkippable(batch, index, log);
  const newest = listSnapshots(directory.snapshots).at(-1) ?? 0;
  if (newest >= position) {
    throw new ConfigError(
      `There is a snapshot of batch ${newest}, so ${nameOf(at)} has been applied. Only a command ` +
        'or batch that stops the replay may be skipped.',
    );
  }
  if (proven) checkStops(directory, at);
}

function checkSkippable(batch: LogBatch, index: number, log: LogReader): void {
  const { position, count } = batch;
  if (readActivation(batch) !== undefined) {
    throw new ConfigError(`Batch ${position} activates an engine; it cannot be skipped.`);
  }
  // The commands of the last batch got no answer. Those of an earlier batch did.
  if (index === wholeBatch && position !== log.head().position) {
    throw new ConfigError(`Only the last batch of the log can be skipped whole, not ${position}.`);
  }
  if (index !== wholeBatch && index >= count) {
    throw new ConfigError(`Batch ${position} has ${count} commands, numbered from 0.`);
  }
}

/**
 * A command that replay passes has been applied, and its client may have got an answer. Without it
 * balances would change. Throws `ConfigError` unless this command, or a timer of this batch, stops
 * the replay. Cost: the same as a start.
 */
function checkStops(directory: DataDirectory, at: SkipRecord): void {
  const stop = findStop(directory, at.position);
  const only = 'Only a command or batch that stops the replay may be skipped.';
  if (stop === undefined) {
    throw new ConfigError(
      `Replay passes ${nameOf(at)} without stopping: it has been applied, and may have been ` +
        `answered. ${only}`,
    );
  }
  if (stop.position !== at.position || (stop.index ?? at.index) !== at.index) {
    throw new ConfigError(`It is not ${nameOf(at)} that stops the replay. ${only} ${stop.why}`);
  }
}

type Stop = {
  readonly position: number;
  /** undefined: the fault does not name it. */
  readonly index: number | undefined;
  readonly why: string;
};

/** The place where replay up to this batch stops; undefined when it does not stop. */
function findStop(directory: DataDirectory, toPosition: number): Stop | undefined {
  const { chainId, snapshots } = directory;
  const log = openLogReader(directory.log);
  const engines = openKeptEngines(directory.engines);
  const skips = createSkipIndex(readSkips(directory.log));
  const { state, place } =
    newestSnapshot({
      disk: snapshots.disk,
      snapshotDirectory: snapshots.directory,
      chainId,
      head: log.head(),
      engines,
      report: () => {},
    }) ?? beginning(chainId, engines);
  const total = toPosition - place.position;
  const progress = createProgress({ what: 'replay', total });
  try {
    const onBatch = ({ position }: LogBatch): void => progress.reached(position - place.position);
    replayLog(state, place, { log, skips, toPosition, onBatch });
    return undefined;
  } catch (error) {
    if (error instanceof LogDamaged || error instanceof EngineRefused) throw error;
    const why = (error as Error).message;
    if (!(error instanceof PoisonCommand))
      return { position: state.position, index: undefined, why };
    return { position: error.position, index: error.index ?? wholeBatch, why };
  } finally {
    progress.end();
  }
}

// A start may begin from one of the two kept snapshots. Segments below both are only for history.
async function archive(io: VerbIo, data: string): Promise<number> {
  const directory = findDataDirectory(data);
  const oldest = listSnapshots(directory.snapshots).at(0) ?? 0;
  const progress = createProgress({ what: 'archive', total: oldest });
  const archived = await archiveSegments(directory.log, oldest, {
    onArchived: progress.reached,
  }).finally(progress.end);
  for (const last of archived) io.print(`archived up to batch ${last}`);
  if (archived.length === 0) {
    io.print('nothing to archive: no full segment lies below the oldest snapshot');
  }
  return 0;
}
