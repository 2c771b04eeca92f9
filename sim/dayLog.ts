// The log of a simulated day, for days that may be interrupted: the exchange's own log files, in a
// data directory that `evermark verify` can read too. A killed process loses nothing of them. They
// are synced only from time to time, because a simulation need not survive the machine.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataDirectory } from '../src/bin/dataDirectory.ts';
import { decodeCommand, encodeCommand } from '../src/engine/codec/commandCodec.ts';
import type { Command } from '../src/engine/command.ts';
import { lockDirectory } from '../src/log/file/lockDirectory.ts';
import { openFileLog } from '../src/log/file/openFileLog.ts';
import { readBatches } from '../src/log/file/readBatches.ts';
import { keepEngine } from '../src/replica/keptEngines.ts';
import { createByteReader, createByteWriter } from '../src/std/bytes.ts';
import { type Disk, fileDisk } from '../src/std/disk.ts';
import type { Time } from '../src/units/units.ts';

export type DayBatch = { readonly time: Time; readonly commands: readonly Command[] };

export type DayLog = {
  /** The number of batches of an earlier run. */
  readonly left: number;
  /** Those batches, in order. */
  readonly recorded: () => Generator<DayBatch, void, undefined>;
  /** Resolves when the batch is in the log. */
  readonly append: (batch: DayBatch) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** How many batches share a sync. */
const batchesPerSync = 512;
const optionsName = 'simulation.json';

/** Opens the log; throws when the directory contains a day with other options. */
export async function openDayLog(
  data: string,
  chainId: 43113,
  options: Readonly<Record<string, unknown>>,
): Promise<DayLog> {
  const directory = makeDataDirectory(data, chainId);
  claim(join(directory.path, optionsName), JSON.stringify(options));
  const lock = lockDirectory(directory.log);
  const engineHash = await keepEngine(directory.engines);
  const disk = createLazyDisk();
  const log = await openFileLog({ directory: directory.log, inline: true, disk });
  const writer = createByteWriter(64 * 1024);
  log.onFailure((error) => {
    throw error;
  });
  const left = log.head().position;
  return {
    left,
    recorded: function* () {
      if (left === 0) return;
      for (const batch of readBatches(directory.log, 1, left)) {
        const { time, count, commands } = batch;
        if (batch.engineHash !== engineHash) {
          throw new Error(`${data} holds a day of another engine: begin it anew`);
        }
        const reader = createByteReader(commands);
        const decoded = Array.from({ length: count }, () => decodeCommand(reader).command);
        yield { time: time as Time, commands: decoded };
      }
    },
    append: async ({ time, commands }) => {
      for (const command of commands) encodeCommand(writer, command, 0 as Time);
      const bytes = writer.buffer.subarray(0, writer.length);
      log.append({ time, engineHash, count: commands.length, commands: bytes });
      writer.length = 0;
      // The acknowledgement comes in a microtask.
      await Promise.resolve();
    },
    close: async () => {
      await log.close();
      lock.release();
    },
  };
}

/** The directory belongs to this day from its first start on. */
function claim(path: string, options: string): void {
  if (!existsSync(path)) {
    writeFileSync(`${path}.new`, `${options}\n`);
    renameSync(`${path}.new`, path);
    return;
  }
  const present = readFileSync(path, 'utf8').trimEnd();
  if (present !== options) {
    throw new Error(`${path} is of a day with other options: ${present} instead of ${options}`);
  }
}

function createLazyDisk(): Disk {
  let waiting = 0;
  return {
    ...fileDisk,
    syncData: (file) => {
      waiting += 1;
      if (waiting < batchesPerSync) return;
      waiting = 0;
      fileDisk.syncData(file);
    },
  };
}
