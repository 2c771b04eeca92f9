// Until when this process may answer reads as the holder of the lease, in memory that two threads
// share. A process that stood still must not answer with a state that another has left behind.
//
// Both clocks must agree: a monotonic one may stand still while the machine is suspended, and the
// wall clock may be set back.

import { systemClock } from '../../std/clock.ts';
import { leaseMs } from './candidacy.ts';

/** Reads end so much before the lease does. */
const marginMs = 200;

export type LeaseTerm = {
  readonly shared: SharedArrayBuffer;
  /** A renewal that was sent so many milliseconds ago has succeeded. */
  readonly renewed: (agoMs: number) => void;
  /** Whether reads may be answered now. */
  readonly isRunning: () => boolean;
  /** From now on no read is answered, whatever renewal succeeds later: the lease is given away. */
  readonly end: () => void;
};

/** Milliseconds, by both clocks. */
type Clocks = { readonly monotonicMs: () => number; readonly wallMs: () => number };

/** Over `shared`, or over new memory, which grants nothing yet. */
export function createLeaseTerm(
  shared = new SharedArrayBuffer(16),
  clocks = machineClocks,
): LeaseTerm {
  const ends = new BigInt64Array(shared);
  const monotonicMs = (): bigint => BigInt(Math.floor(clocks.monotonicMs()));
  const wallMs = (): bigint => BigInt(Math.floor(clocks.wallMs()));
  let over = false;
  return {
    shared,
    renewed: (agoMs) => {
      if (over) return;
      const left = BigInt(Math.floor(leaseMs - marginMs - agoMs));
      Atomics.store(ends, 0, monotonicMs() + left);
      Atomics.store(ends, 1, wallMs() + left);
    },
    end: () => {
      over = true;
      Atomics.store(ends, 0, 0n);
    },
    isRunning: () => monotonicMs() < Atomics.load(ends, 0) && wallMs() < Atomics.load(ends, 1),
  };
}

/** The same in every thread of this machine. */
const machineClocks: Clocks = {
  monotonicMs: () => Number(process.hrtime.bigint() / 1_000_000n),
  wallMs: systemClock.now,
};
