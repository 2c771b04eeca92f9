// `evermark start`: runs the exchange until it is stopped. Standard output is for people: what was
// started, and the line that says when clients can connect. Standard error is the journal.

import { enableCompileCache, flushCompileCache } from 'node:module';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { type Config, ConfigError, loadConfig, strayVariables } from '../config.ts';
import { systemClock } from '../std/clock.ts';
import { splitPostgresUrls } from '../std/postgresUrls.ts';
import { setTimeSlice, shortSlice } from '../std/timeSlice.ts';
import { messageWithAdvice } from './adviceFor.ts';
import { checkFeed } from './checkFeed.ts';
import { type ChosenConfig, chooseWorkers } from './chooseWorkers.ts';
import { isNewDirectory, makeDataDirectory } from './dataDirectory.ts';
import { createJournal, type Journal } from './journal.ts';
import { mendModes } from './mendModes.ts';
import type { VerbIo } from './operatorVerb.ts';
import type { HouseKey } from './prepareDemo.ts';
import { secretsOfUrl } from './redact.ts';
import { heapMegabytes, relaunchWithHeap } from './relaunchWithHeap.ts';
import type { RunningExchange } from './startExchange.ts';

/** The longest time between the copies of one signal. */
const oneSignalMs = 1000;

/** Gives the exit code once the exchange has stopped. */
export async function runStart(args: readonly string[], io: VerbIo): Promise<number> {
  const config = loadConfig(args, io.environment);
  checkFeed(config);
  const compiled = join(resolve(config.data), 'compiled');
  relaunchWithHeap(heapMegabytes(config.heapSize), compiled);
  setTimeSlice(shortSlice);
  const journal = createJournal(config.logLevel);
  const die = tellFaults(journal);
  journal.keepSecret(config.masterKey);
  secretsOfUrl(io.environment.DATABASE_URL ?? '').forEach(journal.keepSecret);
  for (const url of splitPostgresUrls(config.cluster) ?? []) {
    secretsOfUrl(url).forEach(journal.keepSecret);
  }
  for (const name of strayVariables(io.environment)) {
    journal.warn(
      `the environment has ${name}, which is not a setting of this program and is ignored; ` +
        '"evermark start --help" lists them',
    );
  }
  const stopped = stopSignal();
  try {
    const machine = { cores: availableParallelism(), platform: process.platform };
    const chosen = chooseWorkers(config, machine);
    journal.info(chosen.line);
    return await run(chosen.config, journal, { io, stopped, die, compiled });
  } catch (error) {
    journal.fatal(messageWithAdvice(error));
    process.exit(exitCodeOf(error));
  }
}

/** Another process has the lease now; this one may start again and wait. */
const leaseLostCode = 3;
/** The log has moved on to the engine of another release; only that release can start. */
const engineLeftCode = 4;

function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError) return 2;
  const { name } = error as Error;
  if (name === 'LeaseLost') return leaseLostCode;
  return name === 'EngineLeft' ? engineLeftCode : 1;
}

type StartPorts = {
  readonly io: VerbIo;
  readonly stopped: Promise<NodeJS.Signals>;
  readonly die: (error: Error) => never;
  /** Where the runtime keeps what it has compiled. */
  readonly compiled: string;
};

async function run(
  config: ChosenConfig,
  journal: Journal,
  { io, stopped, die, compiled }: StartPorts,
): Promise<number> {
  openDirectory(config, journal);
  // Not earlier: the process that is replaced should load nothing. The process that stays finds
  // what an earlier start has compiled (this saves 0.3 s of a restart).
  enableCompileCache(compiled);
  // For its threads.
  process.env.NODE_COMPILE_CACHE ??= compiled;
  const { startExchange } = await import('./startExchange.ts');
  let exchange: RunningExchange;
  try {
    exchange = await startExchange({
      ...{ config, journal, stopped },
      onFatal: die,
      onWaiting: (http) => io.print(`evermark waits http=${http}`),
      onFollowing: ({ http, operator }) =>
        io.print(`evermark follows http=${http} ws=${socketOf(http)} operator=${operator}`),
    });
  } catch (error) {
    if ((error as Error).name !== 'StoppedWaiting') throw error;
    journal.info('stopped while it waited');
    // What still tries to reach a server would keep the process alive.
    process.exit(0);
  }
  const { state, snapshot } = exchange.core.recovered;
  journal.info(`started at batch ${state.position}, from the snapshot of batch ${snapshot}`);
  journal.info(
    `X-Forwarded-For is trusted from ${config.trustedProxies.join(', ')}: a proxy there must ` +
      'replace the header and not append to it',
  );
  for (const line of banner(config, exchange)) io.print(line);
  const { http, operator } = exchange;
  io.print(`evermark ready http=${http} ws=${socketOf(http)} operator=${operator}`);
  flushCompileCache();
  const signal = await stopped;
  journal.info(`${signal}: no new requests; finishing the present ones`);
  await exchange.stop();
  journal.info('stopped');
  return 0;
}

const socketOf = (http: string): string => `${http.replace('http:', 'ws:')}/ws`;

/**
 * Before the program loads or writes anything there: it reports at once that a directory cannot be
 * used.
 */
function openDirectory({ data, chain, cluster }: Config, journal: Journal): void {
  const isNew = isNewDirectory(data);
  const { path } = makeDataDirectory(data, chain);
  const { mended, foreign } = mendModes(path);
  if (mended > 0) {
    journal.warn(
      `other users of this machine could read ${mended} files and directories in ${path}; ` +
        'now only the user of this process can',
    );
  }
  if (foreign.length > 0) {
    journal.warn(
      `other users of this machine can read ${foreign.length} files in ${path} that belong to ` +
        `another user, ${foreign[0]} among them: correct their owner and mode`,
    );
  }
  if (!isNew || cluster !== '') return;
  journal.warn(
    `${path} held no deployment: a new one begins there, without accounts. If you expected one, ` +
      'stop now, and check whether --data is right and its disk is mounted',
  );
}

/**
 * Turns what Node itself would write to standard error into lines of the journal. Gives the
 * function that ends the process. No code may run after it, because commands that are not
 * acknowledged yet must never be acknowledged.
 */
function tellFaults(journal: Journal): (error: Error) => never {
  const die = (error: Error): never => {
    journal.fatal(`the exchange stops: ${messageWithAdvice(error)}`);
    process.exit(exitCodeOf(error));
  };
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => journal.warn(`${name}: ${message}`));
  process.on('uncaughtException', (error) => {
    journal.error(error.stack ?? error.message);
    die(error);
  });
  return die;
}

/**
 * The first SIGTERM or SIGINT; a later one ends the process at once. A terminal sends Ctrl-C to the
 * launcher too, and the launcher passes it on. So signals this close together count as one.
 */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    const ask = (signal: NodeJS.Signals): void => {
      const now = systemClock.now();
      if (askedAt !== undefined && now - askedAt > oneSignalMs) process.exit(1);
      askedAt ??= now;
      resolve(signal);
    };
    process.on('SIGTERM', ask);
    process.on('SIGINT', ask);
  });
}

function banner(config: Config, { http, operator, prepared }: RunningExchange): string[] {
  const token =
    config.operatorToken === ''
      ? join(resolve(config.data), 'operator-token')
      : 'EVERMARK_OPERATOR_TOKEN';
  return [
    '',
    `  Evermark, chain ${config.chain}`,
    `  clients   ${http}  (documentation at ${http}/docs)`,
    `  operator  ${operator}  (token: ${token})`,
    `  data      ${resolve(config.data)}`,
    ...(prepared.demo === undefined ? [] : demoLines(prepared.demo)),
    '',
  ];
}

function demoLines({ address, apiKey, secret }: HouseKey): string[] {
  return [
    '  a demo account with a ready key:',
    `    account   ${address}`,
    `    api key   ${apiKey}`,
    `    secret    ${secret}`,
  ];
}
