// The program: which subcommand a person typed. Each stands in a file of its own, loaded only when
// it runs; what a subcommand throws ends here.

import { ConfigError, readEnvironment } from '../config.ts';
import type { VerbIo } from './operatorVerb.ts';
import { redactText } from './redact.ts';

type Run = (args: readonly string[], io: VerbIo) => Promise<number>;

const subcommands: Readonly<Record<string, { readonly does: string; load: () => Promise<Run> }>> = {
  start: {
    does: 'runs the exchange',
    load: async () => (await import('./start.ts')).runStart,
  },
  credit: {
    does: 'gives an account USDT',
    load: async () => (await import('./credit.ts')).runCredit,
  },
  accounts: {
    does: 'changes flags of an account',
    load: async () => (await import('./accounts.ts')).runAccounts,
  },
  keys: {
    does: 'changes the rate tier of an API key',
    load: async () => (await import('./keys.ts')).runKeys,
  },
  markets: {
    does: 'lists and changes markets',
    load: async () => (await import('./markets.ts')).runMarkets,
  },
  price: {
    does: 'sets or withdraws an index price (feed manual)',
    load: async () => (await import('./price.ts')).runPrice,
  },
  funding: {
    does: "settles a market's funding now",
    load: async () => (await import('./funding.ts')).runFunding,
  },
  fund: {
    does: 'gives the insurance fund USDT',
    load: async () => (await import('./fund.ts')).runFund,
  },
  withdrawals: {
    does: 'lists, completes and releases withdrawals',
    load: async () => (await import('./withdrawals.ts')).runWithdrawals,
  },
  fees: {
    does: 'shows or replaces the table of fee tiers',
    load: async () => (await import('./fees.ts')).runFees,
  },
  snapshot: {
    does: 'takes a snapshot now',
    load: async () => (await import('./snapshot.ts')).runSnapshot,
  },
  'state-hash': {
    does: 'position and hashes of the state',
    load: async () => (await import('./stateHash.ts')).runStateHash,
  },
  invariants: {
    does: 'checks every invariant of a running exchange',
    load: async () => (await import('./invariants.ts')).runInvariants,
  },
  verify: {
    does: 'replays a data directory and checks it',
    load: async () => (await import('./verify.ts')).runVerify,
  },
  inspect: {
    does: 'prints batches of the log',
    load: async () => (await import('./inspect.ts')).runInspect,
  },
  history: {
    does: 'writes history anew from the log',
    load: async () => (await import('./history.ts')).runHistory,
  },
  log: {
    does: 'skips a command that stops every start, archives segments',
    load: async () => (await import('./log.ts')).runLog,
  },
  vault: {
    does: 'seals the API secrets with another master key',
    load: async () => (await import('./vault.ts')).runVault,
  },
};

const io: VerbIo = {
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
  environment: readEnvironment(),
};

function usage(): string {
  const lines = Object.entries(subcommands).map(
    ([name, { does }]) => `  ${name.padEnd(12)}${does}`,
  );
  return ['usage: evermark SUBCOMMAND [flags]', ...lines].join('\n');
}

/** Exit codes: 0 done, 1 failed, 2 typed wrongly. */
async function main([name = 'help', ...args]: readonly string[]): Promise<number> {
  if (name === 'help' || name === '--help' || name === '-h') {
    io.print(usage());
    return 0;
  }
  if (!Object.hasOwn(subcommands, name)) {
    io.complain(`evermark: there is no subcommand "${name}".\n${usage()}`);
    return 2;
  }
  try {
    const run = await subcommands[name]!.load();
    return await run(args, io);
  } catch (error) {
    const typed = error instanceof ConfigError;
    const message = error instanceof Error ? error.message : String(error);
    io.complain(`evermark: ${redactText(message)}`);
    // A start that failed half way has threads and listeners that would keep the process alive.
    process.exit(typed ? 2 : 1);
  }
}

// Whoever read our output has seen enough of it: `evermark inspect 1 9999 | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await main(process.argv.slice(2));
