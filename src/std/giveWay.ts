// Lowers the priority of a thread or of a process, for times when there is more work than
// processors.

import { readdirSync, readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * Steps of niceness: a thread that is so far behind gets a tenth of the processor time of the
 * thread before it.
 */
const stepsBehind = 10;
const lastNiceness = 19;

/**
 * Lowers the priority of the calling thread below the other threads of the process, for ever. Its
 * work then waits for them, and a thread that wakes up does not wait for it. Only Linux has
 * priorities of threads. On other platforms, and where /proc is hidden, nothing changes. Returns
 * whether the priority changed.
 */
export function giveWay(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    // PID/task/TID: where Linux takes the number of a process, it also takes that of a thread.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(getPriority(thread) + stepsBehind, lastNiceness));
    return true;
  } catch {
    return false;
  }
}

/**
 * Gives the whole process the lowest priority, for ever: all threads that it has, and those that
 * they start. Nothing changes where the platform refuses.
 */
export function giveWayWhole(): void {
  try {
    // Linux gives the priority of a process to its first thread alone.
    const threads = process.platform === 'linux' ? readdirSync('/proc/self/task') : [process.pid];
    for (const thread of threads) setPriority(Number(thread), lastNiceness);
  } catch {
    // It then has the priority of the thread that started it.
  }
}
