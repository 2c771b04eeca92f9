// A thread's place behind the others when there are fewer processors than work.

import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Steps of niceness: a thread so far behind gets a tenth of what the one before it gets. */
const stepsBehind = 10;
const lastNiceness = 19;

/**
 * Puts the calling thread behind the others of the process, for good: what it does then waits
 * for them, and a thread that wakes need not wait for it. Linux alone knows threads’ priorities;
 * elsewhere, and where /proc is hidden, nothing changes. Returns whether it does.
 */
export function giveWay(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    // PID/task/TID: Linux takes the number of a thread wherever it takes that of a process.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(getPriority(thread) + stepsBehind, lastNiceness));
    return true;
  } catch {
    return false;
  }
}
