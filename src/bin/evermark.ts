// The program: finds the subcommand that a person typed. Each subcommand is in its own file, which
// is loaded only when it runs. Errors of a subcommand end here. usages.ts describes how to type
// them.

import { ConfigError, readEnvironment, settingsHelp } from '../config.ts';
import { messageWithAdvice } from './adviceFor.ts';
import { nearestWord } from './nearestWord.ts';
import type { VerbIo } from './operatorVerb.ts';
import { redactText } from './redact.ts';
import { releaseVersion } from './releaseVersion.ts';
import { resolveOwnModules } from './resolveOwnModules.ts';
import { type SubcommandName, usageOf, usages } from './usages.ts';

type Verb = (args: readonly string[], io: VerbIo) => Promise<number>;

const loads: Readonly<Record<SubcommandName, () => Promise<Verb>>> = {
  start: async () => (await import('./start.ts')).runStart,
  credit: async () => (await import('./credit.ts')).runCredit,
  accounts: async () => (await import('./accounts.ts')).runAccounts,
  keys: async () => (await import('./keys.ts')).runKeys,
  markets: async () => (await import('./markets.ts')).runMarkets,
  price: async () => (await import('./price.ts')).runPrice,
  funding: async () => (await import('./funding.ts')).runFunding,
  fund: async () => (await import('./fund.ts')).runFund,
  withdrawals: async () => (await import('./withdrawals.ts')).runWithdrawals,
  chain: async () => (await import('./chain.ts')).runChain,
  fees: async () => (await import('./fees.ts')).runFees,
  referral: async () => (await import('./referral.ts')).runReferral,
  snapshot: async () => (await import('./snapshot.ts')).runSnapshot,
  'state-hash': async () => (await import('./stateHash.ts')).runStateHash,
  invariants: async () => (await import('./invariants.ts')).runInvariants,
  verify: async () => (await import('./verify.ts')).runVerify,
  inspect: async () => (await import('./inspect.ts')).runInspect,
  history: async () => (await import('./history.ts')).runHistory,
  log: async () => (await import('./log.ts')).runLog,
  cluster: async () => (await import('./cluster.ts')).runCluster,
  move: async () => (await import('./move.ts')).runMove,
  vault: async () => (await import('./vault.ts')).runVault,
};

const atTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;

const io: VerbIo = {
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
  environment: readEnvironment(),
  confirm: atTerminal ? confirm : undefined,
};

/** Only a plain yes counts. */
async function confirm(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(question)).trim());
  } finally {
    lines.close();
  }
}

function overview(): string {
  const lines = Object.entries(usages).map(([name, { does }]) => `  ${name.padEnd(12)}${does}`);
  const more = [
    'evermark SUBCOMMAND --help says how one is typed; evermark --version prints the release.',
    'Exit codes: 0 done, 1 failed or refused, 2 typed wrongly.',
  ];
  return ['usage: evermark SUBCOMMAND …', ...lines, ...more].join('\n');
}

function isSubcommand(name: string): name is SubcommandName {
  return Object.hasOwn(usages, name);
}

const asksForHelp = (word: string): boolean => word === '--help' || word === '-h';

/** Exit codes: 0 done, 1 failed, 2 typed wrongly. */
async function main([name = 'help', ...args]: readonly string[]): Promise<number> {
  if (name === 'help' || asksForHelp(name)) {
    io.print(overview());
    return 0;
  }
  if (name === '--version' || name === 'version') {
    io.print(releaseVersion());
    return 0;
  }
  if (!isSubcommand(name)) {
    const meant = nearestWord(name, Object.keys(usages));
    const hint = meant === undefined ? '' : ` Did you mean "evermark ${meant}"?`;
    io.complain(`There is no subcommand "${name}".${hint}\n${overview()}`);
    return 2;
  }
  if (args.some(asksForHelp)) {
    io.print(usageOf(name));
    if (usages[name].takes === 'settings') io.print(settingsHelp());
    return 0;
  }
  try {
    const run = await loads[name]();
    return await run(args, io);
  } catch (error) {
    const typed = error instanceof ConfigError;
    io.complain(redactText(messageWithAdvice(error)));
    // A start that failed half way has threads and listeners that would keep the process alive.
    process.exit(typed ? 2 : 1);
  }
}

// The reader of our output may close it: `evermark inspect 1 9999 | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

// For what the subcommand loads.
resolveOwnModules();

// Only its own user may read the files that this process makes: they contain balances and orders.
if (process.platform !== 'win32') process.umask(0o077);

process.exitCode = await main(process.argv.slice(2));
