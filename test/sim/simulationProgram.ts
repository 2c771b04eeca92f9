// The simulation as its own program that can be killed.

import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

const program = join(resolve(import.meta.dirname, '../..'), 'sim', 'sim.ts');

export type ProgramEnd = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lines: readonly string[];
};

/** Runs it to its end, or until a line begins with `killAt`: then SIGKILL. */
export function runSimulation(args: readonly string[], killAt?: string): Promise<ProgramEnd> {
  const child = spawn(process.execPath, [program, 'crash-day', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let reported = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    reported += text;
    if (killAt !== undefined && reported.includes(`\n  ${killAt}`)) child.kill('SIGKILL');
  });
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (code, signal) =>
      done({ code, signal, lines: reported.trimEnd().split('\n') }),
    );
  });
}
