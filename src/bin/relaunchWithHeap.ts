// V8 takes the sizes of its heap only from the command line, before any of our code runs. So the
// program replaces itself once with the sizes that fit the machine. It keeps its process id and
// its streams.

import { totalmem } from 'node:os';

/** Set in the relaunched process, so that the relaunch happens once. */
const flag = '--max-old-space-size';
const youngFlag = '--max-semi-space-size';
const megabyte = 1024 * 1024;
/**
 * Half of the space for new objects, at most. V8's own 16 MB fill so fast under load that records
 * of orders still under way are copied to the old space (`bench/results.md`).
 */
const youngMegabytesMax = 64;

/** Megabytes for trading's heap: the given number, else 40 % of the machine's memory. */
export function heapMegabytes(asked: number): number {
  if (asked > 0) return asked;
  return Math.max(512, Math.floor(memoryMegabytes() * 0.4));
}

/** 16, 32 or 64 MB: a machine of 4 GB or more has the memory for the largest. */
export function youngMegabytes(memory = memoryMegabytes()): number {
  const asked = 2 ** Math.floor(Math.log2(memory / 56));
  return Math.min(youngMegabytesMax, Math.max(16, asked));
}

function memoryMegabytes(): number {
  const constrained = process.constrainedMemory();
  return (constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()) / megabyte;
}

/** Replaces the process unless it has been relaunched already; then it does nothing. */
export function relaunchWithHeap(megabytes: number): void {
  if (process.execArgv.some((argument) => argument.startsWith(flag))) return;
  // Windows cannot replace a process; there V8's own default applies.
  if (process.execve === undefined || process.platform === 'win32') return;
  const flags = [`${flag}=${megabytes}`, `${youngFlag}=${youngMegabytes()}`, ...process.execArgv];
  process.execve(process.execPath, [process.execPath, ...flags, ...process.argv.slice(1)]);
}
