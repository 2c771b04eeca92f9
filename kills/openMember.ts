// One of the processes of a deployment, as its supervisor has it: the real program at a fixed
// address, started again when it ends. A campaign kills it, and makes it stand still.

import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../src/client/client.ts';
import { createClient } from '../src/client/createClient.ts';
import { freePort } from '../test/fixtures/freePort.ts';
import { cleanEnvironment, operatorToken, program } from '../test/fixtures/startServer.ts';

export type MemberOptions = {
  readonly name: string;
  readonly data: string;
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
};

/** That it ended by itself. */
export type Ending = { readonly code: number | null; readonly last: string };

export type Member = {
  readonly name: string;
  readonly data: string;
  readonly port: number;
  readonly http: string;
  readonly operatorUrl: string;
  readonly operator: Client['operator'];
  /** undefined: it does not run. */
  readonly pid: () => number | undefined;
  /** It does nothing when it runs. */
  readonly start: () => void;
  /** SIGKILL; its supervisor waits for `start`. */
  readonly kill: () => Promise<void>;
  readonly freeze: () => void;
  readonly wake: () => void;
  /** SIGTERM; gives the exit code. */
  readonly stop: () => Promise<number | null>;
  /** How it has ended by itself since the last call. */
  readonly takeEndings: () => readonly Ending[];
  /** What it says about itself; undefined: nothing. */
  readonly health: () => Promise<Health | undefined>;
  /** Whether it answers requests of clients. */
  readonly serves: () => Promise<boolean>;
  /** The end of its journal. */
  readonly journal: () => string;
};

export type Health = { readonly role: string; readonly position: number; readonly lag_ms: number };

const restartMs = 300;
const askMs = 1000;
const journalCharacters = 20_000;
/** What the operator does is load here. */
const acts = /^.*"act":.*\n/gm;

/** Without an answer in that time the fate of the request is unknown. */
export const fetchWithin = (
  milliseconds: number,
  ...[input, init]: Parameters<typeof fetch>
): Promise<Response> => fetch(input, { ...init, signal: AbortSignal.timeout(milliseconds) });

const answerMs = 8000;

export const fetchInTime: typeof fetch = (...request) => fetchWithin(answerMs, ...request);

/** Does not start it. */
export async function openMember(options: MemberOptions): Promise<Member> {
  const { name, data, flags, environment } = options;
  const [port, operatorPort] = [await freePort(), await freePort()];
  const http = `http://127.0.0.1:${port}`;
  const operatorUrl = `http://127.0.0.1:${operatorPort}`;
  const where = ['--data', data, '--port', String(port), '--operator-port', String(operatorPort)];
  let child: ChildProcess | undefined;
  let journal = '';
  let endings: Ending[] = [];
  let isWanted = false;
  const start = (): void => {
    isWanted = true;
    if (child !== undefined) return;
    const started = spawn(process.execPath, [program, 'start', ...where, ...flags], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...cleanEnvironment(), EVERMARK_OPERATOR_TOKEN: operatorToken, ...environment },
    });
    child = started;
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      journal = (journal + text).replaceAll(acts, '').slice(-journalCharacters);
    });
    started.on('exit', (code) => {
      if (child !== started) return;
      child = undefined;
      endings.push({ code, last: lastOf(journal) });
      setTimeout(() => {
        if (isWanted) start();
      }, restartMs);
    });
  };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const ended = child;
    child = undefined;
    isWanted = false;
    if (ended === undefined) return null;
    // A process that stands still takes no signal but SIGKILL.
    if (signal !== 'SIGKILL') ended.kill('SIGCONT');
    return new Promise((resolve) => {
      ended.on('exit', resolve);
      ended.kill(signal);
    });
  };
  return {
    ...{ name, data, port, http, operatorUrl, start },
    operator: createClient({ baseUrl: http, operatorUrl, operatorToken, fetch: fetchInTime })
      .operator,
    pid: () => child?.pid,
    kill: async () => {
      await end('SIGKILL');
    },
    freeze: () => void child?.kill('SIGSTOP'),
    wake: () => void child?.kill('SIGCONT'),
    stop: () => end('SIGTERM'),
    takeEndings: () => {
      const taken = endings;
      endings = [];
      return taken;
    },
    health: () => askHealth(http),
    serves: () => isServed(http),
    journal: () => journal,
  };
}

const lastOf = (journal: string): string => journal.trimEnd().split('\n').at(-1) ?? '';

async function askHealth(http: string): Promise<Health | undefined> {
  try {
    const answer = await fetch(`${http}/health`, { signal: AbortSignal.timeout(askMs) });
    return (await answer.json()) as Health;
  } catch {
    return undefined;
  }
}

async function isServed(http: string): Promise<boolean> {
  try {
    const answer = await fetch(`${http}/fapi/v1/ping`, { signal: AbortSignal.timeout(askMs) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** Waits until something holds; throws the sentence when it does not in that time. */
export async function until(
  holds: () => Promise<boolean> | boolean,
  { withinMs, or }: { readonly withinMs: number; readonly or: string },
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`${or} within ${withinMs / 1000} s`);
    await sleep(20);
  }
}
