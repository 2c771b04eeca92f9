// The memory that the log's owner and its writer thread share: a ring of slots, one batch each, and
// counters to wait on. A slot has room for the largest batch. The operating system allocates only
// the pages that are used.

import { assert } from '../../std/assert.ts';
import { batchBytesMax, batchesInFlightMax, type LogEntry } from '../log.ts';
import { hashBytes } from './frame.ts';

// Counters, which all wrap at 2^32: only their differences have a meaning.
const appendedWord = 0;
const completedWord = 1;
const wakeWord = 2;
const signalWord = 3;
const closingWord = 4;
const failedWord = 5;
const controlWords = 8;

// Per slot: time, count, command bytes and bytes beside them as doubles; engine hash with its
// length; resulting hash; the commands, and behind them what stands beside them.
const slotNumbers = 4;
/** The origins of a whole batch: some twenty bytes for each of as many commands as may wait. */
const originsBytesMax = 1024 * 1024;
const slotBytes = batchBytesMax + originsBytesMax;
const slotHashBytes = 1 + hashBytes + hashBytes;

const numbersOffset = controlWords * 4;
const hashesOffset = numbersOffset + batchesInFlightMax * slotNumbers * 8;
const commandsOffset = Math.ceil((hashesOffset + batchesInFlightMax * slotHashBytes) / 64) * 64;

export type BatchSlots = {
  readonly shared: SharedArrayBuffer;
  readonly control: Int32Array<SharedArrayBuffer>;
  readonly numbers: Float64Array;
  readonly hashes: Buffer;
  readonly commands: Uint8Array;
};

/** The slots over `shared`, or over new memory. */
export function createBatchSlots(
  shared = new SharedArrayBuffer(commandsOffset + batchesInFlightMax * slotBytes),
): BatchSlots {
  return {
    shared,
    control: new Int32Array(shared, 0, controlWords),
    numbers: new Float64Array(shared, numbersOffset, batchesInFlightMax * slotNumbers),
    hashes: Buffer.from(shared, hashesOffset, batchesInFlightMax * slotHashBytes),
    commands: new Uint8Array(shared, commandsOffset),
  };
}

const slotOf = (counter: number): number => (counter >>> 0) % batchesInFlightMax;

/** Owner: puts the entry into the next slot, which must be free, and wakes the writer. */
export function putEntry(slots: BatchSlots, entry: LogEntry): void {
  const appended = Atomics.load(slots.control, appendedWord);
  const slot = slotOf(appended);
  const { commands, engineHash, origins } = entry;
  const beside = origins === undefined ? 0 : origins.length;
  assert(beside <= originsBytesMax, 'the origins of a batch have their room');
  slots.numbers.set([entry.time, entry.count, commands.length, beside], slot * slotNumbers);
  const at = slot * slotHashBytes;
  const written = slots.hashes.write(engineHash, at + 1, hashBytes, 'hex');
  assert(written * 2 === engineHash.length, 'the engine hash is hex of at most 32 bytes');
  slots.hashes[at] = written;
  slots.commands.set(commands, slot * slotBytes);
  if (origins !== undefined) slots.commands.set(origins, slot * slotBytes + commands.length);
  Atomics.store(slots.control, appendedWord, appended + 1);
  wakeWriter(slots);
}

/** Owner: asks the writer to end after it has written every batch. */
export function askToClose(slots: BatchSlots): void {
  Atomics.store(slots.control, closingWord, 1);
  wakeWriter(slots);
}

function wakeWriter(slots: BatchSlots): void {
  Atomics.add(slots.control, wakeWord, 1);
  Atomics.notify(slots.control, wakeWord);
}

/** Writer: the oldest entry that is not written yet, as views into the slots; undefined if none. */
export function takeEntry(slots: BatchSlots): LogEntry | undefined {
  return entryAt(slots, Atomics.load(slots.control, completedWord));
}

/** Writer: the entry that was put after `counter` others, the same way; undefined before it is. */
export function entryAt(slots: BatchSlots, counter: number): LogEntry | undefined {
  if (Atomics.load(slots.control, appendedWord) === (counter | 0)) return undefined;
  const slot = slotOf(counter);
  const [time, count, length, beside] = slots.numbers.subarray(slot * slotNumbers);
  const at = slot * slotHashBytes;
  const start = slot * slotBytes;
  const end = start + length!;
  return {
    time: time!,
    count: count!,
    engineHash: slots.hashes.toString('hex', at + 1, at + 1 + slots.hashes[at]!),
    commands: slots.commands.subarray(start, end),
    ...(beside! > 0 && { origins: Buffer.from(slots.commands.subarray(end, end + beside!)) }),
  };
}

/** Writer: the `count` oldest entries are durable, and the log's hash is now `hash`. */
export function completeEntry(slots: BatchSlots, hash: Buffer, count = 1): void {
  const completed = Atomics.load(slots.control, completedWord) + count;
  slots.hashes.set(hash, slotOf(completed - 1) * slotHashBytes + 1 + hashBytes);
  Atomics.store(slots.control, completedWord, completed);
  signalOwner(slots);
}

/** Writer: reports that it will complete nothing more. */
export function failEntries(slots: BatchSlots): void {
  Atomics.store(slots.control, failedWord, 1);
  signalOwner(slots);
}

function signalOwner(slots: BatchSlots): void {
  Atomics.add(slots.control, signalWord, 1);
  Atomics.notify(slots.control, signalWord);
}

/** Writer: the counter for `awaitWake`; read it before looking for work. */
export function wakeCounter(slots: BatchSlots): number {
  return Atomics.load(slots.control, wakeWord);
}

/** Writer: sleeps until the owner has put an entry or asked to close since `counter` was read. */
export function awaitWake(slots: BatchSlots, counter: number): void {
  Atomics.wait(slots.control, wakeWord, counter);
}

/** Writer: the same for a thread that has other work too: calls `then`, asynchronously. */
export function wakeLater(slots: BatchSlots, counter: number, then: () => void): void {
  const wait = Atomics.waitAsync(slots.control, wakeWord, counter);
  if (wait.async) wait.value.then(then);
  else queueMicrotask(then);
}

/** Writer: whether the owner asked it to end. */
export function isClosing(slots: BatchSlots): boolean {
  return Atomics.load(slots.control, closingWord) === 1;
}

/** Owner: the counter for `awaitSignal`; read it before looking at the results. */
export function signalCounter(slots: BatchSlots): number {
  return Atomics.load(slots.control, signalWord);
}

/** Owner: calls `then`, asynchronously, after the writer has signalled since `counter` was read. */
export function awaitSignal(slots: BatchSlots, counter: number, then: () => void): void {
  const wait = Atomics.waitAsync(slots.control, signalWord, counter);
  if (wait.async) wait.value.then(then);
  else queueMicrotask(then);
}

export function hasFailed(slots: BatchSlots): boolean {
  return Atomics.load(slots.control, failedWord) === 1;
}

/**
 * Owner: the time and hash of the last completed entry, and how many entries completed since the
 * counter `seen`; undefined when none. The slots of these entries are free afterwards.
 */
export function takeResults(
  slots: BatchSlots,
  seen: number,
): { readonly counter: number; readonly count: number; time: number; hash: Buffer } | undefined {
  const counter = Atomics.load(slots.control, completedWord);
  const count = (counter - seen) | 0;
  if (count === 0) return undefined;
  const slot = slotOf(counter - 1);
  const at = slot * slotHashBytes + 1 + hashBytes;
  return {
    counter,
    count,
    time: slots.numbers[slot * slotNumbers]!,
    hash: Buffer.from(slots.hashes.subarray(at, at + hashBytes)),
  };
}
