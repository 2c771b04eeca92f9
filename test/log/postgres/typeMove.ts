// `evermark` as an operator types it, for the tests of moves, and logs on files to move.

import { type ChildProcess, spawn } from 'node:child_process';
import { findDataDirectory, makeDataDirectory } from '../../../src/bin/dataDirectory.ts';
import { openFileLog } from '../../../src/log/file/openFileLog.ts';
import { openLogReader } from '../../../src/log/file/openLogReader.ts';
import { cleanEnvironment, program } from '../../fixtures/startServer.ts';
import { appendAll, chain, entryOf } from './openServers.ts';

type Ended = { readonly code: number | null; readonly printed: string; readonly errors: string };
type Environment = Readonly<Record<string, string>>;

export function beginMove(words: readonly string[], environment: Environment): ChildProcess {
  return spawn(process.execPath, [program, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...cleanEnvironment(), ...environment },
  });
}

/** Runs it to its end. */
export async function typeMove(words: readonly string[], environment: Environment): Promise<Ended> {
  const child = beginMove(words, environment);
  let [printed, errors] = ['', ''];
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, printed, errors };
}

/** Appends to the log of a data directory, and gives its last hash. */
export async function makeLog(data: string, count: number): Promise<string> {
  const { log: directory } = makeDataDirectory(data, chain);
  const log = await openFileLog({ directory, inline: true });
  const texts = Array.from({ length: count }, (_, index) => `batch ${index}`);
  const { hash } = await appendAll(
    log,
    texts.map((text) => entryOf(text)),
  );
  await log.close();
  return hash.toString('hex');
}

export const hashIn = (data: string): string =>
  openLogReader(findDataDirectory(data).log).head().hash.toString('hex');
