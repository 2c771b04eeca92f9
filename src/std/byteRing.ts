// A queue of messages of bytes from one thread to one other, in memory that they share. One thread
// puts, the other takes, and neither waits. This file only moves bytes. The users of a ring decide
// when one thread wakes the other.
//
// The bytes form a circle. A message is a head of eight bytes, the first four of which are its
// length, and its bytes, filled up to a multiple of eight. So a head never lies across the end of
// the circle; a message may. What does not fit is put in parts: a message may be longer than the
// circle.

import { assert } from './assert.ts';
import { type ByteReader, createByteReader } from './bytes.ts';

// Each word has a line of the cache of its own, because another thread writes it.
const lineWords = 16;
/** Counters of bytes that wrap at 2^32: only their difference has a meaning. */
const takenWord = 0;
const putWord = lineWords;
/** 1: the taking thread looks no more until it is woken. */
const asleepWord = 2 * lineWords;
/** 1: the putting thread has more, and wants to know of room. */
const blockedWord = 3 * lineWords;
const controlBytes = 4 * lineWords * 4;

const headBytes = 8;

export type ByteRing = {
  readonly shared: SharedArrayBuffer;
  readonly control: Int32Array<SharedArrayBuffer>;
  readonly bytes: Buffer;
  readonly view: DataView;
};

/** The ring over `shared`, or over new memory. `capacity`: bytes, a power of two from 64 on. */
export function createByteRing(
  capacity: number,
  shared = new SharedArrayBuffer(controlBytes + capacity),
): ByteRing {
  assert(capacity >= 64 && Number.isInteger(Math.log2(capacity)), 'a capacity is a power of two');
  assert(shared.byteLength === controlBytes + capacity, 'both threads know the same capacity');
  return {
    shared,
    control: new Int32Array(shared, 0, controlBytes / 4),
    bytes: Buffer.from(shared, controlBytes, capacity),
    view: new DataView(shared, controlBytes, capacity),
  };
}

const filledUp = (length: number): number => (length + 7) & ~7;

export type RingPutter = {
  /**
   * Puts a message, or keeps what has no room; it copies. `put` and `putWaiting` give whether the
   * taker must be woken, because it sleeps.
   */
  readonly put: (message: Uint8Array) => boolean;
  /** Puts what waits, as far as there is room now. */
  readonly putWaiting: () => boolean;
  /** Bytes that wait for room. */
  readonly waiting: () => number;
  /** Bytes that the taker has not taken: those in the ring, and those that wait. */
  readonly untaken: () => number;
};

type PuttingEnd = {
  readonly ring: ByteRing;
  put: number;
  /** Heads and filled messages that have no room yet, oldest first; `from` in the first of them. */
  readonly queue: Uint8Array[];
  from: number;
  waiting: number;
};

/** The one end of the ring that puts. */
export function createRingPutter(ring: ByteRing): RingPutter {
  const put = Atomics.load(ring.control, putWord);
  const end: PuttingEnd = { ring, put, queue: [], from: 0, waiting: 0 };
  return {
    put: (message) => putMessage(end, message),
    putWaiting: () => putWaiting(end),
    waiting: () => end.waiting,
    untaken: () => ring.bytes.length - roomOf(end) + end.waiting,
  };
}

function putMessage(end: PuttingEnd, message: Uint8Array): boolean {
  const { ring, queue } = end;
  const { length } = message;
  const size = headBytes + filledUp(length);
  if (queue.length === 0 && size <= roomOf(end)) {
    const at = placeOf(ring, end.put);
    ring.view.setUint32(at, length, true);
    copyIn(ring, message, placeOf(ring, end.put + headBytes));
    publish(end, size);
    return mustWake(ring);
  }
  const kept = new Uint8Array(size);
  new DataView(kept.buffer).setUint32(0, length, true);
  kept.set(message, headBytes);
  queue.push(kept);
  end.waiting += size;
  return putWaiting(end);
}

function putWaiting(end: PuttingEnd): boolean {
  if (end.queue.length === 0) return false;
  let any = putSome(end);
  while (end.queue.length > 0) {
    // The taker looks at this word after it has made room.
    Atomics.store(end.ring.control, blockedWord, 1);
    if (!putSome(end)) break;
    any = true;
  }
  return any && mustWake(end.ring);
}

/** Puts as much of the queue as there is room; false: there was none. */
function putSome(end: PuttingEnd): boolean {
  const { ring, queue } = end;
  let any = false;
  for (let room = roomOf(end); queue.length > 0 && room > 0; room = roomOf(end)) {
    const first = queue[0]!;
    const part = first.subarray(end.from, Math.min(end.from + room, first.length));
    copyIn(ring, part, placeOf(ring, end.put));
    publish(end, part.length);
    end.waiting -= part.length;
    end.from += part.length;
    if (end.from === first.length) {
      queue.shift();
      end.from = 0;
    }
    any = true;
  }
  return any;
}

/** Where the byte with this count is in the circle. */
const placeOf = ({ bytes }: ByteRing, count: number): number => (count >>> 0) % bytes.length;

const roomOf = ({ ring, put }: PuttingEnd): number =>
  ring.bytes.length - ((put - Atomics.load(ring.control, takenWord)) >>> 0);

/** In two pieces at the end of the circle. */
function copyIn({ bytes }: ByteRing, source: Uint8Array, at: number): void {
  const until = bytes.length - at;
  if (source.length <= until) {
    bytes.set(source, at);
    return;
  }
  bytes.set(source.subarray(0, until), at);
  bytes.set(source.subarray(until), 0);
}

function publish(end: PuttingEnd, size: number): void {
  end.put = (end.put + size) | 0;
  Atomics.store(end.ring.control, putWord, end.put);
}

const mustWake = ({ control }: ByteRing): boolean =>
  Atomics.load(control, asleepWord) === 1 && Atomics.exchange(control, asleepWord, 0) === 1;

type Take = (message: ByteReader) => void;

export type RingTaker = {
  /**
   * Calls `take` for each message that is there, oldest first. The bytes may be read during the
   * call alone. `found`: there was something, and be it a part of a message. `wanted`: the putting
   * thread waits for the room that is there now.
   */
  readonly takeAll: (take: Take) => { readonly found: boolean; readonly wanted: boolean };
  /** From now on the putter must wake the taker. False: there is something, and it stays awake. */
  readonly sleep: () => boolean;
  /** The taker will look again by itself: it need not be woken. */
  readonly stir: () => void;
};

type TakingEnd = {
  readonly ring: ByteRing;
  taken: number;
  /** Reads a message where it lies. */
  readonly inPlace: ByteReader;
  /** A message of which parts have come: its filled bytes, and its length. */
  partial: { readonly bytes: Buffer; filled: number; readonly length: number } | undefined;
};

/** The one end of the ring that takes. */
export function createRingTaker(ring: ByteRing): RingTaker {
  const { control, bytes } = ring;
  const taken = Atomics.load(control, takenWord);
  const end: TakingEnd = { ring, taken, inPlace: createByteReader(bytes), partial: undefined };
  return {
    takeAll: (take) => takeAll(end, take),
    sleep: () => {
      Atomics.store(control, asleepWord, 1);
      // What was put before the putter could see the word.
      if (Atomics.load(control, putWord) === end.taken) return true;
      Atomics.store(control, asleepWord, 0);
      return false;
    },
    stir: () => {
      Atomics.store(control, asleepWord, 0);
    },
  };
}

function takeAll(end: TakingEnd, take: Take): ReturnType<RingTaker['takeAll']> {
  const { control } = end.ring;
  // What is put meanwhile waits for the next call: other work has its turn.
  const put = Atomics.load(control, putWord);
  const found = put !== end.taken;
  while (put !== end.taken) takeNext(end, (put - end.taken) >>> 0, take);
  const wanted =
    found &&
    Atomics.load(control, blockedWord) === 1 &&
    Atomics.exchange(control, blockedWord, 0) === 1;
  return { found, wanted };
}

/** `here`: the bytes that are there, at least a head, or a part of a message that has begun. */
function takeNext(end: TakingEnd, here: number, take: Take): void {
  const { ring, inPlace } = end;
  if (end.partial !== undefined) {
    const whole = takePart(end, end.partial, here);
    if (whole !== undefined) take(whole);
    return;
  }
  const at = placeOf(ring, end.taken);
  const length = ring.view.getUint32(at, true);
  const filled = filledUp(length);
  const first = at + headBytes;
  if (headBytes + filled <= here && first + filled <= ring.bytes.length) {
    inPlace.offset = first;
    inPlace.end = first + length;
    take(inPlace);
    free(end, headBytes + filled);
    return;
  }
  end.partial = { bytes: Buffer.allocUnsafeSlow(filled), filled: 0, length };
  free(end, headBytes);
}

/** The message when its last part has come. */
function takePart(
  end: TakingEnd,
  partial: NonNullable<TakingEnd['partial']>,
  here: number,
): ByteReader | undefined {
  const { bytes: target, filled } = partial;
  const { bytes } = end.ring;
  const at = placeOf(end.ring, end.taken);
  const size = Math.min(here, target.length - filled, bytes.length - at);
  bytes.copy(target, filled, at, at + size);
  free(end, size);
  partial.filled += size;
  if (partial.filled < target.length) return undefined;
  end.partial = undefined;
  return createByteReader(target, 0, partial.length);
}

function free(end: TakingEnd, size: number): void {
  end.taken = (end.taken + size) | 0;
  Atomics.store(end.ring.control, takenWord, end.taken);
}
