// Several processes on one log in PostgreSQL behind a synchronous standby, all of it on this
// machine: how long an append takes, how soon another process answers after a kill and a handover,
// whether anything acknowledged is lost, how fast a process catches up, and what following and
// forwarding cost. It says which target holds.

import { measureAppend } from './cluster/measureAppend.ts';
import { measureCatchUp } from './cluster/measureCatchUp.ts';
import { measureFollowing } from './cluster/measureFollowing.ts';
import { measureForwarding } from './cluster/measureForwarding.ts';
import { measureHandover } from './cluster/measureHandover.ts';
import { measureIdle } from './cluster/measureIdle.ts';
import { measureKills } from './cluster/measureKills.ts';
import { targets } from './cluster/targets.ts';
import { readNumbers } from './readNumbers.ts';
import { sayConditions, sayResult } from './report.ts';
import { type Figures, sayTargets } from './sayTargets.ts';

export type ClusterBenchOptions = {
  processes: number;
  /** Batches that are written one after the other. */
  appends: number;
  /** Commands in the log that a process catches up with. */
  commands: number;
  kills: number;
  handovers: number;
  /** Seconds without traffic. */
  idle: number;
  /** Orders whose way to another process is measured, and of each way of forwarding. */
  orders: number;
  /** Orders a second while processor time is measured, and for how many seconds. */
  rate: number;
  seconds: number;
};

export type ClusterBench = (options: ClusterBenchOptions) => Promise<Figures>;

/** The parts, in their order; each has servers and processes of its own. */
const parts = {
  append: measureAppend,
  catchup: measureCatchUp,
  kills: measureKills,
  handover: measureHandover,
  idle: measureIdle,
  following: measureFollowing,
  forwarding: measureForwarding,
} as const satisfies Readonly<Record<string, ClusterBench>>;

type Part = keyof typeof parts;

const isPart = (name: string | undefined): name is Part =>
  name !== undefined && Object.hasOwn(parts, name);

/**
 * Prints everything; fails when something acknowledged is lost or executed twice. A missed target
 * is printed and is in the result. The first argument may be the name of a part, which then runs
 * alone.
 */
export async function runClusterBench(args: readonly string[]): Promise<void> {
  const [first, ...rest] = args;
  const chosen = isPart(first) ? [first] : (Object.keys(parts) as readonly Part[]);
  const options = readNumbers<ClusterBenchOptions>('cluster', isPart(first) ? rest : args, {
    processes: 3,
    appends: 1000,
    commands: 500_000,
    kills: 50,
    handovers: 10,
    idle: 20,
    orders: 500,
    // At 2,000 most of the holder's time is waking up for single orders.
    rate: 4000,
    seconds: 10,
  });
  sayConditions('cluster', {
    parts: chosen.join(', '),
    database: 'PostgreSQL with fsync and one synchronous standby, on the same machine and disk',
    processes: `${options.processes}, started as \`start --cluster\`, prices by hand, no demo`,
    append: `${options.appends} batches of 100 commands, one after the other, then four at once`,
    catchup: `${options.commands} commands in batches of 100, checked and written into segments`,
    kills: `${options.kills} × SIGKILL of the process with the lease under orders at all processes`,
    handover: `${options.handovers} by the operator's word; the pause between two acknowledgements`,
    idle: `${options.idle} s without traffic, processor time of all threads`,
    following: `${options.orders} trades: from the answer of one process to the stream of another`,
    forwarding:
      `${options.orders} orders each way in turn; then ${options.rate} orders/s by plan from ` +
      `another program for ${options.seconds} s each, processor time of the holder`,
  });
  const figures: Record<string, number> = {};
  for (const part of chosen) Object.assign(figures, await parts[part](options));
  const verdicts = sayTargets(targets, figures);
  sayResult({ bench: 'cluster', parts: chosen, ...figures, ...verdicts });
}
