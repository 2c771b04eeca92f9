// Goal: a ring of shared memory loses, changes and reorders no message, whatever their sizes and
// however full it is, and no side that sleeps misses what the other did. Method: both ends are
// driven in a drawn order beside the obvious twin, a list; then two threads use one ring.

import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createByteRing, createRingPutter, createRingTaker } from '../../src/std/byteRing.ts';
import type { ByteReader } from '../../src/std/bytes.ts';

const bytesOf = ({ buffer, offset, end }: ByteReader): string =>
  buffer.toString('hex', offset, end);

const message = fc
  .tuple(fc.oneof(fc.nat(40), fc.nat(400)), fc.nat(255))
  .map(([length, first]) => Uint8Array.from({ length }, (_, i) => (first + i * 7) & 255));

const step = fc.oneof(
  message.map((bytes) => ({ kind: 'put', bytes }) as const),
  fc.constantFrom(
    { kind: 'take' } as const,
    { kind: 'putWaiting' } as const,
    { kind: 'sleep' } as const,
  ),
);

/** Counters of bytes pass the end of what 32 bits hold, with a sign and without. */
const start = fc.constantFrom(0, -128, 2 ** 31 - 128);

test('messages of any size arrive in order, and a sleeping taker is woken', () => {
  const steps = fc.array(step, { maxLength: 60 });
  const capacity = fc.constantFrom(64, 128, 256, 1024);
  fc.assert(
    fc.property(capacity, start, steps, (size, count, drawn) => {
      const ring = createByteRing(size);
      for (const word of [0, 16]) Atomics.store(ring.control, word, count);
      const putter = createRingPutter(ring);
      const taker = createRingTaker(ring);
      const sent: string[] = [];
      const heard: string[] = [];
      const take = (read: ByteReader): void => void heard.push(bytesOf(read));
      let asleep = false;
      let wanted = false;
      /** A wake-up, which must find a taker that sleeps. */
      const onPut = (wakes: boolean): void => {
        if (!wakes) return;
        expect(asleep).toBe(true);
        asleep = false;
      };
      for (const each of drawn) {
        if (each.kind === 'put') {
          sent.push(Buffer.from(each.bytes).toString('hex'));
          onPut(putter.put(each.bytes));
        } else if (each.kind === 'putWaiting') onPut(putter.putWaiting());
        else if (each.kind === 'sleep') asleep = taker.sleep();
        else if (!asleep) wanted = taker.takeAll(take).wanted || wanted;
        expect(heard).toEqual(sent.slice(0, heard.length));
      }
      // Each does from now on only what the other asks for.
      for (let turn = 0; heard.length < sent.length; turn += 1) {
        expect(turn).toBeLessThan(2000);
        const found = !asleep && taker.takeAll(take);
        if (found !== false) wanted ||= found.wanted;
        if (wanted) onPut(putter.putWaiting());
        wanted = false;
        if (found !== false && !found.found) {
          // It sleeps neither in front of what was put nor while the other waits for room.
          asleep = taker.sleep();
          expect(asleep && heard.length < sent.length).toBe(false);
        }
      }
      expect([heard, putter.waiting()]).toEqual([sent, 0]);
    }),
    { numRuns: 2000 },
  );
});

test('a part of a message is no message: what a dead thread has begun is never taken', () => {
  const ring = createByteRing(64);
  const putter = createRingPutter(ring);
  const taker = createRingTaker(ring);
  const heard: string[] = [];
  const take = (read: ByteReader): void => void heard.push(bytesOf(read));
  putter.put(Uint8Array.of(1, 2, 3));
  putter.put(new Uint8Array(300));
  expect(taker.takeAll(take)).toEqual({ found: true, wanted: true });
  expect(taker.takeAll(take)).toEqual({ found: false, wanted: false });
  expect(heard).toEqual(['010203']);
  expect(putter.waiting()).toBeGreaterThan(200);
});

test('stir: a taker that looks by itself is not woken', () => {
  const ring = createByteRing(64);
  const putter = createRingPutter(ring);
  const taker = createRingTaker(ring);
  expect(taker.sleep()).toBe(true);
  expect(putter.put(Uint8Array.of(1))).toBe(true);
  expect(putter.put(Uint8Array.of(2))).toBe(false);
  expect(taker.sleep()).toBe(false);
  taker.takeAll(() => {});
  expect(taker.sleep()).toBe(true);
  taker.stir();
  expect(putter.put(Uint8Array.of(3))).toBe(false);
});

const program = new URL('./byteRingThread.ts', import.meta.url);

test('two threads: every message arrives whole and in order, both sides sleep and wake', async () => {
  const [there, back] = [createByteRing(4096), createByteRing(1024)];
  const workerData = { there: there.shared, back: back.shared };
  const worker = new Worker(program, { workerData, execArgv: [] });
  const putter = createRingPutter(there);
  const taker = createRingTaker(back);
  const count = 20_000;
  const done = Promise.withResolvers<void>();
  worker.on('error', done.reject);
  let next = 0;
  let expected = 0;
  const take = ({ view, offset, end }: ByteReader): void => {
    const { length } = messageOf(expected);
    expect([view.getUint32(offset, true), end - offset]).toEqual([expected, length]);
    expect(view.getUint8(end - 1)).toBe(messageOf(expected)[length - 1]);
    expected += 1;
  };
  const look = (): void => {
    taker.stir();
    const { wanted } = taker.takeAll(take);
    // A few at a time, so that the other side often sleeps.
    for (let i = 0; i < 20 && next < count && putter.waiting() === 0; i += 1, next += 1) {
      if (putter.put(messageOf(next))) worker.postMessage(0);
    }
    if (putter.putWaiting() || wanted) worker.postMessage(0);
    if (expected === count) done.resolve();
    else if (!taker.sleep() || (next < count && putter.waiting() === 0)) setImmediate(look);
  };
  worker.on('message', look);
  look();
  await done.promise;
  await worker.terminate();
  expect(expected).toBe(count);
});

/** Its number, and bytes that follow from it. */
function messageOf(number: number): Buffer {
  const bytes = Buffer.alloc(4 + ((number * 37) % 900), number & 255);
  bytes.writeUInt32LE(number);
  return bytes;
}
