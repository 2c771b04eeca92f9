// Processes for a benchmark's clients, so that their work does not count as the exchange's.

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** Starts a file of this folder. */
export function forkHere(file: string): ChildProcess {
  return fork(join(import.meta.dirname, file), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

/** The child's answer to one message; rejects when it ends without an answer. */
export function askProcess<T>(child: ChildProcess, message: object): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`a process of the benchmark ended: ${code}`));
    child.once('exit', onExit);
    child.once('message', (answer) => {
      child.off('exit', onExit);
      resolve(answer as T);
    });
    child.send(message);
  });
}

/** Starts a file, sends it one message and ends it. */
export async function askOnce<Plan extends object, Result>(
  file: string,
  plan: Plan,
): Promise<Result> {
  const child = forkHere(file);
  try {
    return await askProcess<Result>(child, plan);
  } finally {
    child.kill();
  }
}
