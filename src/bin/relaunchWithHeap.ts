// V8 takes the sizes of its heap only from the command line, before any of our code runs. So the
// program replaces itself once with the sizes that fit the machine. It keeps its process id and its
// streams.

import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** Set in the relaunched process, so that the relaunch happens once. */
const flag = '--max-old-space-size';
const megabyte = 1024 * 1024;
/**
 * Megabytes of each half of trading's young generation, from the start on. Only at its full size
 * does V8 decide to make long-lived objects, such as orders, among the old ones
 * (docs/decisions/0022-the-layout-of-orders.md). The other threads have what V8 gives them.
 */
const youngMegabytes = 32;
const youngNames = ['--min-semi-space-size', '--max-semi-space-size'];
export const youngFlags = youngNames.map((name) => `${name}=${youngMegabytes}`);

/** Megabytes for trading's heap: the given number, else 40 % of the machine's memory. */
export function heapMegabytes(asked: number): number {
  if (asked > 0) return asked;
  const constrained = process.constrainedMemory();
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.max(512, Math.floor((memory * 0.4) / megabyte));
}

/**
 * Replaces the process. The new one uses what an earlier start has compiled from its first module
 * on, if `compiled` is there; its call of this function gives later threads the usual young
 * generation, and returns.
 */
export function relaunchWithHeap(megabytes: number, compiled: string): void {
  if (process.execArgv.some((argument) => argument.startsWith(flag))) {
    // 0 is V8's own choice.
    for (const name of youngNames) setFlagsFromString(`${name}=0`);
    return;
  }
  // Windows cannot replace a process; there V8's own default applies.
  if (process.execve === undefined || process.platform === 'win32') return;
  const flags = [`${flag}=${megabytes}`, ...youngFlags, ...process.execArgv];
  const cache = existsSync(compiled) ? { NODE_COMPILE_CACHE: compiled } : {};
  process.execve(process.execPath, [process.execPath, ...flags, ...process.argv.slice(1)], {
    ...cache,
    ...process.env,
  });
}
