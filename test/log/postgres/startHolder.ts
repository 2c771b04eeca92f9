// Starts a process that holds the log (holderProgram.ts), and follows what it prints.

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { chain } from './openServers.ts';

export type Holder = {
  readonly child: ChildProcess;
  /** What it has reported as durable: the hash by position. */
  readonly durable: Map<number, string>;
  /** When it reported something durable for the first and for the last time, by the stopwatch. */
  readonly times: { first: number; last: number };
  /** Why it left. */
  readonly ended: () => string | undefined;
  /** Waits until it holds. */
  readonly until: (holds: () => boolean) => Promise<void>;
};

const program = join(import.meta.dirname, 'holderProgram.ts');

/** With a name it is a member of the deployment. */
export function startHolder(urls: string, replicatedStorage: boolean, member = ''): Holder {
  const storage = replicatedStorage ? 'replicated' : 'standby';
  const child = spawn(process.execPath, [program, urls, String(chain), storage, member], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const durable = new Map<number, string>();
  const times = { first: Number.POSITIVE_INFINITY, last: 0 };
  let ended: string | undefined;
  const listeners = new Set<() => void>();
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const [word, position, ...rest] = line.split(' ');
    if (word === 'durable') {
      durable.set(Number(position), rest[0]!);
      times.last = performance.now();
      times.first = Math.min(times.first, times.last);
    }
    if (word === 'ended') ended = [position, ...rest].join(' ');
    for (const listener of [...listeners]) listener();
  });
  child.on('exit', () => {
    for (const listener of [...listeners]) listener();
  });
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
    });
  return { child, durable, times, until, ended: () => ended };
}
