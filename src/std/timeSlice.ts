// How long a thread may run before Linux looks for another one that waits. A thread that wakes up
// gets the core of a running one at once if its own slice is the shorter one (Linux 6.12 and
// later); otherwise it waits until that one has had its slice, up to a tick of 4 ms, whatever the
// priorities. So a short slice is for threads that others wait for, and a long one for those that
// wait for nothing. A slice gives no thread more processor time.

import { createRequire } from 'node:module';
import { arch, endianness } from 'node:os';

/** Of threads that orders wait for, nanoseconds: Linux's shortest. */
export const shortSlice = 100_000;
/** Of work in the background, nanoseconds: Linux's longest. */
export const longSlice = 100_000_000;

type SystemCalls = { readonly get: number; readonly set: number };

/** sched_getattr and sched_setattr by number: the C library has no function for them. */
const systemCalls: Readonly<Record<string, SystemCalls>> = {
  x64: { get: 315, set: 314 },
  arm64: { get: 275, set: 274 },
};

/** `struct sched_attr` in its first form, which every kernel with these calls knows. */
const attributeBytes = 48;
const places = { size: 0, flags: 8, slice: 24 } as const;
/** Threads and processes that this one starts get the usual slice. */
const resetOnFork = 1n;
const callingThread = 0;

/**
 * Sets the slice of the calling thread, nanoseconds, for ever; its priority stays. Gives the slice
 * that it has then. undefined: nothing changed, because the platform has no such call, refuses it,
 * or the optional package koffi is not installed.
 */
export function setTimeSlice(nanoseconds: number): number | undefined {
  const calls = process.platform === 'linux' ? systemCalls[arch()] : undefined;
  if (calls === undefined || endianness() !== 'LE') return undefined;
  try {
    const { get, set } = loadCalls(calls);
    const attributes = get();
    if (attributes === undefined) return undefined;
    attributes.writeUInt32LE(attributeBytes, places.size);
    attributes.writeBigUInt64LE(resetOnFork, places.flags);
    attributes.writeBigUInt64LE(BigInt(nanoseconds), places.slice);
    if (!set(attributes)) return undefined;
    return Number(get()?.readBigUInt64LE(places.slice));
  } catch {
    return undefined;
  }
}

function loadCalls(calls: SystemCalls) {
  const koffi = createRequire(import.meta.url)('koffi') as typeof import('koffi');
  const library = koffi.load(null);
  const read = library.func('long syscall(long, int, _Out_ uint8_t *, unsigned int, unsigned int)');
  const write = library.func('long syscall(long, int, const uint8_t *, unsigned int)');
  return {
    get: (): Buffer | undefined => {
      const attributes = Buffer.alloc(attributeBytes);
      const failed = read(calls.get, callingThread, attributes, attributeBytes, 0) !== 0;
      return failed ? undefined : attributes;
    },
    set: (attributes: Buffer): boolean => write(calls.set, callingThread, attributes, 0) === 0,
  };
}
