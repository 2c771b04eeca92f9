// V8 takes the limit of its heap from the command line alone, before any of our code runs. So the
// program replaces itself once, keeping its process id and its streams, with the limit that fits
// the machine.

import { totalmem } from 'node:os';

/** Set in the relaunched process, so that it happens once. */
const flag = '--max-old-space-size';
const megabyte = 1024 * 1024;

/** Megabytes for trading's heap: what was asked for, else 40 % of the machine's memory. */
export function heapMegabytes(asked: number): number {
  if (asked > 0) return asked;
  const constrained = process.constrainedMemory();
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.max(512, Math.floor((memory * 0.4) / megabyte));
}

/** Replaces the process unless it has been relaunched already; then it does nothing. */
export function relaunchWithHeap(megabytes: number): void {
  if (process.execArgv.some((argument) => argument.startsWith(flag))) return;
  // Windows has no way to replace a process: there V8's own default stands.
  if (process.execve === undefined || process.platform === 'win32') return;
  const flags = [`${flag}=${megabytes}`, ...process.execArgv];
  process.execve(process.execPath, [process.execPath, ...flags, ...process.argv.slice(1)]);
}
