// `evermark inspect FROM [TO]`: prints batches of the log in readable form, without applying them.

import { ConfigError, loadConfig } from '../config.ts';
import { openLogReader } from '../log/file/openLogReader.ts';
import { readSkips } from '../log/file/skip.ts';
import type { LogBatch } from '../log/log.ts';
import { readActivation } from '../replica/activation.ts';
import type { Engines } from '../replica/engines.ts';
import { openKeptEngines } from '../replica/keptEngines.ts';
import { createSkipIndex, type SkipIndex, wholeBatch } from '../replica/skipIndex.ts';
import { isFault } from '../std/assert.ts';
import { createByteReader } from '../std/bytes.ts';
import { findDataDirectory } from './dataDirectory.ts';
import type { VerbIo } from './operatorVerb.ts';
import { printJson } from './printJson.ts';
import { splitArguments } from './splitArguments.ts';
import { usageLine } from './usages.ts';

const usage = usageLine('inspect');

/** Gives the exit code. Changes nothing, and may run beside a server. */
export async function runInspect(args: readonly string[], io: VerbIo): Promise<number> {
  const { words, flags } = splitArguments(args);
  const positions = words.map(readPosition);
  if (positions.length < 1 || positions.length > 2) throw new ConfigError(usage);
  const { log, engines: kept } = findDataDirectory(loadConfig(flags, io.environment).data);
  const [from, to = from] = positions as [number, number | undefined];
  if (to < from) throw new ConfigError(`TO is ${to}, before FROM, ${from}. ${usage}`);
  const skips = createSkipIndex(readSkips(log));
  const engines = openKeptEngines(kept);
  const reader = openLogReader(log);
  let next = from;
  for (const batch of reader.read(from, to)) {
    printJson(io, readableBatch(batch, skips, engines));
    next = batch.position + 1;
  }
  // A damaged batch looks like the end to a reader that need not look behind it: this one does.
  const end = next <= to ? reader.head().position : to;
  if (next > from) return 0;
  io.complain(`the log has no batch ${from}; it ends at batch ${end}`);
  return 1;
}

function readPosition(word: string): number {
  if (/^[1-9]\d{0,14}$/.test(word)) return Number(word);
  throw new ConfigError(`"${word}" is not a position. ${usage}`);
}

function readableBatch(batch: LogBatch, skips: SkipIndex, engines: Engines): unknown {
  const activation = readActivation(batch);
  const skipped = skips.get(batch.position)?.has(wholeBatch) === true;
  return {
    position: batch.position,
    time: new Date(batch.time).toISOString(),
    hash: batch.hash.toString('hex'),
    previous_hash: batch.previousHash.toString('hex'),
    engine_hash: batch.engineHash,
    ...(skipped ? { skipped } : {}),
    ...(activation === undefined
      ? { commands: readableCommands(batch, skips, engines) }
      : { activation }),
  };
}

/**
 * Units: money is 1e-6 USDT, rates are 1e-8, prices are ticks, quantities are lots of their market.
 */
function readableCommands(batch: LogBatch, skips: SkipIndex, engines: Engines): unknown[] {
  const reader = createByteReader(batch.commands);
  const { decodeCommand, skipCommand } = engines.of(batch.engineHash);
  return Array.from({ length: batch.count }, (_, index) => {
    const start = reader.offset;
    const skipped = skips.get(batch.position)?.has(index) === true;
    try {
      const { command, deadline } = decodeCommand(reader);
      const until = deadline === 0 ? 'none' : new Date(deadline).toISOString();
      return { index, ...(skipped ? { skipped } : {}), deadline: until, command };
    } catch (error) {
      if (!isFault(error)) throw error;
      reader.offset = start;
      reader.end = batch.commands.length;
      skipCommand(reader);
      const bytes = batch.commands.subarray(start, reader.offset).toString('hex');
      return { index, ...(skipped ? { skipped } : {}), unreadable: error.message, bytes };
    }
  });
}
