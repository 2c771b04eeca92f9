// Money on a chain, which is anvil on this machine: how soon the real program credits deposits and
// pays and ends withdrawals, whether the deposits of one block are one batch of the log, and how
// long, with how much gas and with how many kills 10,000 withdrawals are paid, each once. It says
// which target holds.

import { findAnvil } from '../contracts/openLocalChain.ts';
import { measureDeposits } from './chain/measureDeposits.ts';
import { measureKills } from './chain/measureKills.ts';
import { measureLatency } from './chain/measureLatency.ts';
import { measurePayments } from './chain/measurePayments.ts';
import { measureRoot } from './chain/measureRoot.ts';
import { targets } from './chain/targets.ts';
import { readNumbers } from './readNumbers.ts';
import { sayConditions, sayResult } from './report.ts';
import { type Figures, sayTargets } from './sayTargets.ts';

export type ChainBenchOptions = {
  /** Deposits and withdrawals whose times are measured. */
  samples: number;
  /** Milliseconds between two blocks while they are. */
  block: number;
  withdrawals: number;
  /** Wallets in a tree of what is owed. */
  accounts: number;
  seed: number;
};

export type ChainBench = (options: ChainBenchOptions) => Promise<Figures>;

/** The parts, in their order; each has a chain, a vault and processes of its own. */
const parts = {
  latency: measureLatency,
  deposits: measureDeposits,
  payments: measurePayments,
  kills: measureKills,
  root: measureRoot,
} as const satisfies Readonly<Record<string, ChainBench>>;

type Part = keyof typeof parts;

const isPart = (name: string | undefined): name is Part =>
  name !== undefined && Object.hasOwn(parts, name);

/**
 * Prints everything; fails when money is credited or paid twice or is missing. A missed target is
 * printed and is in the result. The first argument may be the name of a part, which then runs
 * alone.
 */
export async function runChainBench(args: readonly string[]): Promise<void> {
  if (findAnvil() === undefined) throw new Error('npm has no anvil for this platform');
  const [first, ...rest] = args;
  const chosen = isPart(first) ? [first] : (Object.keys(parts) as readonly Part[]);
  const options = readNumbers<ChainBenchOptions>('chain', isPart(first) ? rest : args, {
    samples: 30,
    block: 2150,
    withdrawals: 10_000,
    accounts: 1_000_000,
    seed: 1,
  });
  sayConditions('chain', {
    parts: chosen.join(', '),
    chain: 'anvil, asked as three nodes; 2 of 3 signers, with keys in files or in memory',
    latency:
      `${options.samples} deposits and withdrawals at random moments, a block each ` +
      `${options.block} ms, final when 6 are above it, \`start --vault\``,
    deposits: 'one block, `start --vault`, counted in its log',
    payments: `${options.withdrawals} to new wallets; a round each 0.75 s, each block at once`,
    root: `${options.accounts} wallets in the log, orders at 1,000 /s by plan; proofs by HTTP`,
    kills: 'the same, rounds at once, a service for each batch that dies at a random step',
  });
  const figures: Record<string, number> = {};
  for (const part of chosen) Object.assign(figures, await parts[part](options));
  const verdicts = sayTargets(targets, figures);
  sayResult({ bench: 'chain', parts: chosen, ...figures, ...verdicts });
}
