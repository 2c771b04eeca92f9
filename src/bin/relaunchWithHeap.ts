// V8 takes the limit of its heap only from the command line, before any of our code runs. So the
// program replaces itself once with the limit that fits the machine. It keeps its process id and
// its streams.

import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';

/** Set in the relaunched process, so that the relaunch happens once. */
const flag = '--max-old-space-size';
const megabyte = 1024 * 1024;

/** Megabytes for trading's heap: the given number, else 40 % of the machine's memory. */
export function heapMegabytes(asked: number): number {
  if (asked > 0) return asked;
  const constrained = process.constrainedMemory();
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.max(512, Math.floor((memory * 0.4) / megabyte));
}

/**
 * Replaces the process unless it has been relaunched already; then it does nothing. The new one
 * uses what an earlier start has compiled from its first module on, if `compiled` is there.
 */
export function relaunchWithHeap(megabytes: number, compiled: string): void {
  if (process.execArgv.some((argument) => argument.startsWith(flag))) return;
  // Windows cannot replace a process; there V8's own default applies.
  if (process.execve === undefined || process.platform === 'win32') return;
  const flags = [`${flag}=${megabytes}`, ...process.execArgv];
  const cache = existsSync(compiled) ? { NODE_COMPILE_CACHE: compiled } : {};
  process.execve(process.execPath, [process.execPath, ...flags, ...process.argv.slice(1)], {
    ...cache,
    ...process.env,
  });
}
