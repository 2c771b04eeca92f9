// A deployment on a disk in memory, with what must be known of it to judge any recovery: a log of
// drawn commands in small segments, the oldest of them archived, snapshots along the way, a skip
// record, and the state after every batch. Damages nothing.

import { hash } from 'node:crypto';
import { encodeCommand } from '../../src/engine/codec/commandCodec.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { archiveSegments } from '../../src/log/file/archiveSegments.ts';
import { openFileLog } from '../../src/log/file/openFileLog.ts';
import { openLogReader } from '../../src/log/file/openLogReader.ts';
import { readBatches } from '../../src/log/file/readBatches.ts';
import { appendSkip, readSkips, type Skip } from '../../src/log/file/skip.ts';
import type { Log, LogEntry, LogHead } from '../../src/log/log.ts';
import { encodeViews } from '../../src/market-data/encodeViews.ts';
import { applyBatch } from '../../src/replica/applyBatch.ts';
import { recoverState } from '../../src/replica/recoverState.ts';
import {
  createReplicaState,
  figuresOf,
  type ReplicaState,
} from '../../src/replica/replicaState.ts';
import { createSkipIndex, type SkipIndex } from '../../src/replica/skipIndex.ts';
import { writeSnapshot } from '../../src/replica/snapshotFile.ts';
import { createByteWriter, writtenBytes } from '../../src/std/bytes.ts';
import type { Disk } from '../../src/std/disk.ts';
import type { Time } from '../../src/units/units.ts';
import { createStream, openingCommands } from '../engine/commandStream.ts';
import { testEngines } from '../fixtures/testEngines.ts';
import { createMemoryDisk, type MemoryDisk } from './memoryDisk.ts';

export const logDirectory = '/data/log';
export const snapshotDirectory = '/data/snapshots';
export const segmentBytes = 32 * 1024;
const chainId = 43113;
export const { hash: engineHash } = testEngines.present;

export type RecordedDeployment = {
  readonly disk: MemoryDisk;
  /** What was appended at each position, from 1. */
  readonly entries: readonly LogEntry[];
  /** The head after each position, from 0. */
  readonly heads: readonly LogHead[];
  /** `fingerprintOf` the state after those positions that were asked for. */
  readonly fingerprints: ReadonlyMap<number, string>;
  readonly skip: Skip;
};

export type RecordOptions = {
  readonly seed: number;
  readonly batches: number;
  readonly commandsPerBatch: number;
  /** Where snapshots are taken. */
  readonly snapshots: readonly number[];
  /** Full segments below it are archived; 0: none. */
  readonly archiveBelow: number;
  /** The states that are distinguished. Cost: more than the commands that lead there. */
  readonly isReported: (position: number) => boolean;
};

/**
 * Everything that two states at one place of the log must share, and all that answers are made of.
 */
export function fingerprintOf(state: ReplicaState): string {
  const sections: string[] = [];
  encodeViews(state.views, state.engine, (section) => sections.push(hash('sha256', section)));
  const { exchange } = state;
  const { position, eventHash, commands, events } = figuresOf(state);
  const figures = [position, eventHash, commands, events, state.time].join(' ');
  return [figures, stateHash(exchange), priceHash(exchange), ...sections].join(' ');
}

/** Appends one entry and waits until it is durable, or the disk has died. */
export async function appendDurably(log: Log, entry: LogEntry): Promise<LogHead> {
  log.append(entry);
  await Promise.resolve();
  return log.head();
}

export const openLog = (disk: Disk): Promise<Log> =>
  openFileLog({ directory: logDirectory, segmentBytes, inline: true, disk });

/** The state after a start like the program's; reports what it skips. */
export function recover(
  disk: Disk,
  head: LogHead,
  report: (message: string) => void = () => {},
): ReplicaState {
  const skips = createSkipIndex(readSkips(logDirectory, disk));
  const log = openLogReader(logDirectory, disk);
  const place = { log, snapshotDirectory, chainId, skips };
  return recoverState({ disk, ...place, head, engines: testEngines, report }).state;
}

/** Draws commands as they come, each from the state that those before it have led to. */
export async function recordDeployment(options: RecordOptions): Promise<RecordedDeployment> {
  const { seed, batches, commandsPerBatch, snapshots, archiveBelow, isReported } = options;
  const disk = createMemoryDisk();
  const skip = { position: 2, index: 0 };
  const skips = createSkipIndex([skip]);
  const state = createReplicaState(chainId, testEngines);
  const log = await openLog(disk);
  appendSkip(logDirectory, skip.position, skip.index, disk);
  const stream = createStream(seed, () => state.exchange);
  const none = { time: 0, engineHash, count: 0, commands: Buffer.alloc(0) };
  const entries: LogEntry[] = [none];
  const heads: LogHead[] = [log.head()];
  const fingerprints = new Map([[0, fingerprintOf(state)]]);
  for (let position = 1; position <= batches; position += 1) {
    const commands =
      position === 1
        ? openingCommands()
        : Array.from({ length: commandsPerBatch }, () => stream.next());
    const writer = createByteWriter(4096);
    for (const command of commands) encodeCommand(writer, command, 0 as Time);
    const bytes = writtenBytes(writer);
    const entry = { time: stream.time(), engineHash, count: commands.length, commands: bytes };
    entries.push(entry);
    heads.push(await appendDurably(log, entry));
    follow(disk, state, position, skips);
    if (isReported(position)) fingerprints.set(position, fingerprintOf(state));
    if (!snapshots.includes(position)) continue;
    const place = { disk, directory: snapshotDirectory };
    writeSnapshot(place, state, heads[position]!.hash.toString('hex'));
  }
  await log.close();
  await archiveSegments(logDirectory, archiveBelow, { disk });
  return { disk, entries, heads, fingerprints, skip };
}

// Read back and not taken from memory: the record has what the log has.
function follow(disk: Disk, state: ReplicaState, position: number, skips: SkipIndex): void {
  for (const batch of readBatches(logDirectory, position, position, disk)) {
    applyBatch(state, batch, skips);
  }
}
