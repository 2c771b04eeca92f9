// One thread's end of the way to another: what it sends goes into one ring of shared memory, what
// it receives comes from another. A thread that is busy looks into its ring by itself, once a turn
// of its event loop; one that has nothing to do sleeps, and is woken by a message. So a wake-up, a
// call into the system, is for idle threads alone, and an idle thread does nothing.

import {
  type ByteRing,
  createByteRing,
  createRingPutter,
  createRingTaker,
} from '../../std/byteRing.ts';
import type { ByteReader, ByteWriter } from '../../std/bytes.ts';

/** The memory of both ways between the serving thread and one worker. */
export type RingMemory = {
  readonly requests: SharedArrayBuffer;
  readonly answers: SharedArrayBuffer;
};

/** Bytes of one way: more than the messages that one turn of the other thread usually takes. */
const capacityUsual = 1024 * 1024;

export function createRingMemory(): RingMemory {
  return {
    requests: createByteRing(capacityUsual).shared,
    answers: createByteRing(capacityUsual).shared,
  };
}

export const ringOver = (shared: SharedArrayBuffer): ByteRing =>
  createByteRing(capacityUsual, shared);

export type RingLinkOptions = {
  readonly incoming: ByteRing;
  readonly outgoing: ByteRing;
  /** Takes a message; its bytes may be read during the call alone. */
  readonly take: (message: ByteReader) => void;
  /** Makes the other thread call `woken` of its end. */
  readonly wake: () => void;
  /** Runs a step in the next turn of the event loop. */
  readonly defer?: (step: () => void) => void;
};

export type RingLink = {
  /** A message will be sent in this turn, so the other thread need not wake this one. */
  readonly stir: () => void;
  /** Sends what was gathered and empties it; takes what has come meanwhile. */
  readonly post: (gathered: ByteWriter) => void;
  /** The other thread has put something into the ring, or made room in its own. */
  readonly woken: () => void;
  /** Bytes of messages that the other thread has not taken. */
  readonly untaken: () => number;
  /** Takes what has come, and from then on neither takes nor sends anything. */
  readonly end: () => void;
};

export function createRingLink(options: RingLinkOptions): RingLink {
  const { take, wake, defer = setImmediate } = options;
  const putter = createRingPutter(options.outgoing);
  const taker = createRingTaker(options.incoming);
  let ended = false;
  let looksAgain = false;
  const lookAgain = (): void => {
    if (looksAgain) return;
    looksAgain = true;
    defer(() => {
      looksAgain = false;
      if (!ended) look();
    });
  };
  const look = (): void => {
    taker.stir();
    const { found, wanted } = taker.takeAll(take);
    const wakes = putter.putWaiting();
    if (wanted || wakes) wake();
    // What was found makes work for this turn; more may have come when it is done.
    if (found || !taker.sleep()) lookAgain();
  };
  // What the other thread may have put before this end was there.
  if (!taker.sleep()) lookAgain();
  return {
    stir: taker.stir,
    post: (gathered) => {
      const { buffer, length } = gathered;
      const wakes = putter.put(buffer.subarray(0, length));
      gathered.length = 0;
      if (wakes) wake();
      if (!looksAgain) look();
    },
    woken: () => {
      if (!ended) look();
    },
    untaken: putter.untaken,
    end: () => {
      if (ended) return;
      ended = true;
      taker.takeAll(take);
    },
  };
}
