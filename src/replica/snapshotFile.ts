// A snapshot on the disk: one file of checked sections, named by its position. It contains the
// head, then the engine's state, then the views beside it. The archivist decides when to take a
// snapshot and which ones to keep.

import { join } from 'node:path';
import { decodeViews, encodeListedViews } from '../market-data/encodeViews.ts';
import type { WhenDecoded } from '../market-data/endedOrdersSnapshot.ts';
import { assert, isFault, must } from '../std/assert.ts';
import {
  type ByteReader,
  createByteWriter,
  readInteger,
  readText,
  readUint32,
  writeInteger,
  writeText,
  writeUint32,
} from '../std/bytes.ts';
import { createSteadyFile } from '../std/createSteadyFile.ts';
import type { Disk } from '../std/disk.ts';
import {
  beginSection,
  claimedSectionBytes,
  endSection,
  openNextSection,
  sectionHeadBytes,
} from '../std/section.ts';
import type { EngineRange, Engines } from './engines.ts';
import type { ReplicaState } from './replicaState.ts';

const format = 6;
/** Its head is the same, and its rows are without a list. */
const formatBefore = 5;
const headKind = 64;
/** The maximum length of a section; a longer claim is damage. */
const sectionBytesMax = 64 * 1024 * 1024;

export type SnapshotHead = {
  readonly position: number;
  /** Hex: the hash of the batch at that position. It distinguishes this log from another. */
  readonly batchHash: string;
  readonly time: number;
  readonly chainId: number;
  /** The engines that ran the log so far. The last one wrote this snapshot, and reads it. */
  readonly ran: readonly EngineRange[];
  readonly stateHash: string;
  readonly priceHash: string;
  readonly eventHash: { readonly high: number; readonly low: number };
  readonly commands: number;
  readonly events: number;
};

/** The content that was read back is not what was written. */
export class SnapshotDamaged extends Error {
  override name = 'SnapshotDamaged';
}

/** Where snapshots lie. */
export type SnapshotPlace = { readonly disk: Disk; readonly directory: string };

const positionDigits = 16;
const suffix = '.snap';

export function snapshotPath(directory: string, position: number): string {
  return join(directory, `${String(position).padStart(positionDigits, '0')}${suffix}`);
}

/** The positions of the snapshots in the directory, ascending. */
export function listSnapshots({ disk, directory }: SnapshotPlace): number[] {
  const names = disk.list(directory).filter((name) => /^\d{16}\.snap$/.test(name));
  return names.map((name) => Number(name.slice(0, positionDigits)));
}

/**
 * Writes the state durably: the file exists whole or not at all. `batchHash` is the hash of the
 * batch at the state's position. Throws what the disk throws, and then leaves no file behind. Cost:
 * about 150 ms for 100,000 orders.
 */
export function writeSnapshot(
  { disk, directory }: SnapshotPlace,
  state: Readonly<ReplicaState>,
  batchHash: string,
): SnapshotHead {
  disk.makeDirectory(directory);
  const head = headOf(state, batchHash);
  const path = snapshotPath(directory, state.position);
  const draft = `${path}.tmp`;
  const file = disk.openFile(draft, 'create');
  try {
    const { write, sync } = createSteadyFile(disk, file);
    write(encodeHead(head));
    state.engine.encodeSnapshot(state.exchange, write);
    encodeListedViews(state.views, state.engine, write);
    sync();
  } catch (error) {
    disk.closeFile(file);
    disk.remove(draft);
    throw error;
  }
  disk.closeFile(file);
  disk.rename(draft, path);
  disk.syncDirectory(directory);
  return head;
}

/**
 * The state of a snapshot. The engine that wrote it reads it, and both hashes are computed again.
 * Throws `SnapshotDamaged`, and `EngineRefused` when that engine is not available. Cost: about 300
 * ms for 100,000 orders.
 */
export function readSnapshot(place: SnapshotPlace, position: number, engines: Engines): ReadBack {
  return readWhen({ place, position, engines }, 'now');
}

/** The same for a start: the views decode what ended later. */
export function readSnapshotForStart(
  place: SnapshotPlace,
  position: number,
  engines: Engines,
): ReadBack {
  return readWhen({ place, position, engines }, 'later');
}

type ReadBack = { readonly head: SnapshotHead; readonly state: ReplicaState };
type Reading = {
  readonly place: SnapshotPlace;
  readonly position: number;
  readonly engines: Engines;
};

function readWhen({ place, position, engines }: Reading, ended: WhenDecoded): ReadBack {
  return reading(place, position, (sections) => {
    const head = decodeHead(openNextSection(sections, headKind));
    assert(head.position === position, 'its name and its position differ');
    const { ran } = head;
    const engine = engines.of(must(ran.at(-1), 'an engine wrote it').hash);
    const exchange = engine.decodeSnapshot(sections);
    const views = decodeViews(sections, engine, ended);
    assert(sections.next().done === true, 'more follows its last section');
    assert(exchange.chainId === head.chainId && exchange.time === head.time, 'its head is another');
    assert(engine.stateHash(exchange) === head.stateHash, 'its state has another hash than it had');
    assert(
      engine.priceHash(exchange) === head.priceHash,
      'its prices have another hash than they had',
    );
    const { time, commands, events } = head;
    const eventHash = { ...head.eventHash };
    const figures = { position, time, eventHash, commands, events };
    return { head, state: { engine, engines, ran, exchange, views, ...figures } };
  });
}

export function removeSnapshot({ disk, directory }: SnapshotPlace, position: number): void {
  disk.remove(snapshotPath(directory, position));
  disk.syncDirectory(directory);
}

/** Removes the unfinished files of a killed process. */
export function removeUnfinishedSnapshots({ disk, directory }: SnapshotPlace): void {
  for (const name of disk.list(directory)) {
    if (/^\d{16}\.snap\.tmp$/.test(name)) disk.remove(join(directory, name));
  }
}

/** Takes a snapshot out of use without destroying the evidence. */
export function setSnapshotAside({ disk, directory }: SnapshotPlace, position: number): string {
  const path = snapshotPath(directory, position);
  disk.rename(path, `${path}.refused`);
  disk.syncDirectory(directory);
  return `${path}.refused`;
}

function headOf(state: Readonly<ReplicaState>, batchHash: string): SnapshotHead {
  const { engine, ran, exchange, position, time, commands, events } = state;
  return {
    position,
    batchHash,
    time,
    chainId: exchange.chainId,
    ran,
    stateHash: engine.stateHash(exchange),
    priceHash: engine.priceHash(exchange),
    eventHash: { ...state.eventHash },
    commands,
    events,
  };
}

function encodeHead(head: SnapshotHead): Buffer {
  const writer = createByteWriter(512);
  beginSection(writer);
  writeUint32(writer, format);
  writeInteger(writer, head.position);
  writeText(writer, head.batchHash);
  writeInteger(writer, head.time);
  writeInteger(writer, head.chainId);
  writeUint32(writer, head.ran.length);
  for (const { hash, from } of head.ran) {
    writeText(writer, hash);
    writeInteger(writer, from);
  }
  writeText(writer, head.stateHash);
  writeText(writer, head.priceHash);
  writeInteger(writer, head.eventHash.high);
  writeInteger(writer, head.eventHash.low);
  writeInteger(writer, head.commands);
  writeInteger(writer, head.events);
  return endSection(writer, headKind);
}

function decodeHead(reader: ByteReader): SnapshotHead {
  const written = readUint32(reader);
  const isKnown = written === format || written === formatBefore;
  assert(isKnown, 'it has a format of another release');
  const head = {
    position: readInteger(reader),
    batchHash: readText(reader),
    time: readInteger(reader),
    chainId: readInteger(reader),
    ran: Array.from({ length: readUint32(reader) }, () => ({
      hash: readText(reader),
      from: readInteger(reader),
    })),
    stateHash: readText(reader),
    priceHash: readText(reader),
    eventHash: { high: readInteger(reader), low: readInteger(reader) },
    commands: readInteger(reader),
    events: readInteger(reader),
  };
  assert(reader.offset === reader.end, 'its head holds more than it should');
  return head;
}

// A fault of a decoder here means a damaged file, not a fault of the running state.
function reading<Result>(
  { disk, directory }: SnapshotPlace,
  position: number,
  read: (sections: Iterator<Buffer> & Iterable<Buffer>) => Result,
): Result {
  const path = snapshotPath(directory, position);
  const file = disk.openFile(path, 'read');
  try {
    return read(readSections(disk, file));
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new SnapshotDamaged(`${path} cannot be used: ${error.message}`);
  } finally {
    disk.closeFile(file);
  }
}

function* readSections(disk: Disk, file: number): Generator<Buffer, void, undefined> {
  const size = disk.sizeOf(file);
  const head = Buffer.alloc(sectionHeadBytes);
  let offset = 0;
  while (offset < size) {
    assert(disk.readAt(file, head, offset) === sectionHeadBytes, 'a section is cut');
    const claimed = claimedSectionBytes(head);
    assert(claimed <= Math.min(sectionBytesMax, size - offset), 'a section is cut');
    const section = Buffer.alloc(claimed);
    disk.readAt(file, section, offset);
    offset += claimed;
    yield section;
  }
}
