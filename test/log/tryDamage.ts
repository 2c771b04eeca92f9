// One case of damage: a deployment on a disk in memory whose log, archive, snapshots or skip
// records are flipped, swapped, cut, doubled, zeroed or lost is recovered as the program does it.
// Either the state is, to the bit, one that was there after some batch, and nothing acknowledged
// has gone; or a sentence says what is wrong. Never more memory than the files hold, never reading
// without end.

import { createSnapshotChain } from '../../src/archivist/snapshotChain.ts';
import { frameHeaderBytes } from '../../src/log/file/frame.ts';
import { readBatches } from '../../src/log/file/readBatches.ts';
import { segmentHeaderBytes } from '../../src/log/file/segment.ts';
import { LogDamaged, type LogHead } from '../../src/log/log.ts';
import type { Disk } from '../../src/std/disk.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import { testEngines } from '../fixtures/testEngines.ts';
import { drawDamage } from './drawDamage.ts';
import type { MemoryDisk } from './memoryDisk.ts';
import {
  appendDurably,
  engineHash,
  fingerprintOf,
  logDirectory,
  openLog,
  type RecordedDeployment,
  recordDeployment,
  recover,
  snapshotDirectory,
} from './recordedDeployment.ts';

const batches = 240;
/** The last batch was never acknowledged: the process died before its sync returned. */
const acknowledged = batches - 1;
/** Deployments are drawn once and damaged many times. */
const deploymentsMax = 2;
const deployments = new Map<number, Promise<RecordedDeployment>>();

function deploymentOf(seed: number): Promise<RecordedDeployment> {
  const own = seed % deploymentsMax;
  const found =
    deployments.get(own) ??
    recordDeployment({
      ...{ seed: own + 1, batches, commandsPerBatch: 4 },
      ...{ snapshots: [60 + own, 130, 200 + own], archiveBelow: 200, isReported: () => true },
    });
  deployments.set(own, found);
  return found;
}

/** A window of the log, and the memory for a batch of the largest size. */
const allocationMax = 16 * 1024 * 1024;
/** All files together are read a few times over, in pieces. */
const readsMax = 200_000;

/** Tries the case of that seed; gives its kind of result, throws the violation. */
export async function tryDamage(seed: number): Promise<string> {
  const prng = createPrng(seed);
  const recorded = await deploymentOf(seed);
  const disk = recorded.disk.copy();
  const done: string[] = [];
  for (let count = 1 + (prng.below(4) === 0 ? prng.below(3) : 0); count > 0; count -= 1) {
    done.push(drawDamage(disk, prng));
  }
  try {
    return await judge(recorded, disk, prng);
  } catch (error) {
    throw new Error(`after ${done.join('; ')}: ${(error as Error).stack}`, { cause: error });
  }
}

async function judge(recorded: RecordedDeployment, disk: MemoryDisk, prng: Prng): Promise<string> {
  const damaged = disk.copy();
  // Files that a start does not need are damaged too; every reader of them must report the damage.
  const read = refusalOf(() => readAll(recorded, bounded(damaged.copy())));
  const chain = refusalOf(() => followChain(recorded, bounded(damaged.copy())));
  const opened = await openDamaged(recorded, disk);
  if ('refused' in opened) return `refused: ${opened.refused}`;
  const { position } = opened.head;
  if (position < acknowledged && !isWiped(damaged, recorded, position)) {
    throw new Error(`batches ${position + 1} to ${acknowledged} are lost without an error`);
  }
  disk.losePower(prng);
  const again = await openDamaged(recorded, disk);
  if ('refused' in again || again.head.position !== position + 1) {
    throw new Error('what was recovered and went on is not there after a power failure');
  }
  const kept =
    position < acknowledged ? 'a wiped end' : position < batches ? 'its end cut' : 'whole';
  const passed = opened.reports.length > 0 ? ', a snapshot passed over' : '';
  const reported = read ?? chain;
  return `recovered, ${kept}${passed}${reported === undefined ? '' : ', damage reported to readers'}`;
}

type Opened =
  | { readonly refused: string }
  | { readonly head: LogHead; readonly reports: readonly string[] };

/** Recovers, compares the state with the record, and appends one more batch. */
async function openDamaged(recorded: RecordedDeployment, disk: MemoryDisk): Promise<Opened> {
  const reports: string[] = [];
  let head: LogHead;
  try {
    const log = await openLog(bounded(disk));
    head = log.head();
    const state = limited(() => recover(bounded(disk), head, (text) => reports.push(text)));
    const due = recorded.fingerprints.get(head.position);
    if (due !== undefined && fingerprintOf(state) !== due) {
      throw new Error(`the state at batch ${head.position} was never there`);
    }
    const { time } = head;
    const entry = { time, engineHash, count: 0, commands: Buffer.alloc(0) };
    const next = await appendDurably(log, recorded.entries[head.position + 1] ?? entry);
    if (next.position !== head.position + 1) throw new Error('the log does not go on');
    await log.close();
  } catch (error) {
    return { refused: sentenceOf(error) };
  }
  for (const report of reports) checkSentence(report);
  return { head, reports };
}

/** The expected refusals, by the beginning of their text; any other error is thrown again. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof LogDamaged)) throw error;
  checkSentence(error.message);
  return error.message
    .replace(/\/data\/\S*/g, '…')
    .replace(/\d+/g, 'n')
    .slice(0, 60);
}

function checkSentence(text: string): void {
  if (text.length < 25 || !/\/data\/|batch/.test(text)) {
    throw new Error(`"${text}" says neither where nor what`);
  }
}

function refusalOf(step: () => void): string | undefined {
  try {
    limited(step);
    return undefined;
  } catch (error) {
    return sentenceOf(error);
  }
}

/** A reader gets only what was written there. */
function readAll({ heads, entries }: RecordedDeployment, disk: Disk): void {
  for (const { position, hash, commands, time } of readBatches(logDirectory, 1, undefined, disk)) {
    const same =
      heads[position]?.hash.equals(hash) &&
      entries[position]!.time === time &&
      Buffer.compare(entries[position]!.commands, commands) === 0;
    if (!same) throw new Error(`batch ${position} was never written like that`);
  }
}

/** The archivist begins from an undamaged snapshot or from none. */
function followChain({ fingerprints }: RecordedDeployment, disk: Disk): void {
  const place = { disk, directory: snapshotDirectory };
  const begun = createSnapshotChain({ place, engines: testEngines, report: checkSentence }).begin();
  if (begun === undefined) return;
  if (fingerprintOf(begun.state) !== fingerprints.get(begun.state.position)) {
    throw new Error(`the snapshot of batch ${begun.state.position} is not what it was`);
  }
}

/**
 * Whether only zeros follow the batch after `position`, in a log that no archive and
 * no snapshot shows to be longer: a disk that loses what it has synced looks like a crash.
 */
function isWiped(disk: MemoryDisk, recorded: RecordedDeployment, position: number): boolean {
  const live = disk.paths().filter((path) => /log\/\d{16}\.segment$/.test(path));
  const bytes = disk.bytesOf(live.at(-1)!);
  const first = Number(/(\d{16})\.segment$/.exec(live.at(-1)!)![1]);
  let end = segmentHeaderBytes;
  for (let at = first; at <= position + 1; at += 1) {
    end += Math.ceil((frameHeaderBytes + recorded.entries[at]!.commands.length) / 8) * 8;
  }
  return bytes.subarray(end).every((byte) => byte === 0);
}

/** Fails when a step asks for more memory at once than any file can be in need of. */
function limited<Result>(step: () => Result): Result {
  const { alloc } = Buffer;
  Buffer.alloc = (size: number, ...rest: []) => {
    if (size > allocationMax) throw new Error(`${size} bytes are allocated at once`);
    return alloc(size, ...rest);
  };
  try {
    return step();
  } finally {
    Buffer.alloc = alloc;
  }
}

/** The same disk, which throws when the reading does not end. */
function bounded(disk: MemoryDisk): Disk {
  let reads = 0;
  return {
    ...disk,
    readAt: (file, target, offset) => {
      reads += 1;
      if (reads > readsMax) throw new Error('the disk is read without end');
      return disk.readAt(file, target, offset);
    },
  };
}
