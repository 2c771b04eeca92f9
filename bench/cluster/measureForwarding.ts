// What it costs that an order comes to a process without the lease: the time that its client waits
// longer, and the processor time of the process with the lease for each order.

import type { Member } from '../../kills/openMember.ts';
import { askProcess, forkHere } from '../childProcess.ts';
import type { ClusterBench, ClusterBenchOptions } from '../cluster.ts';
import type { LoadPlan, LoadResult } from '../gatewayLoad.ts';
import { makeRequests } from '../orderRequests.ts';
import { check, median, say } from '../report.ts';
import type { Figures } from '../sayTargets.ts';
import { readThreadTimes, type ThreadTimes, timesPerOrder } from '../threadTimes.ts';
import { askFollowers } from './askFollowers.ts';
import { calm } from './calm.ts';
import { followersOf, type Processes, withProcesses } from './withProcesses.ts';

/** An order is under way for several milliseconds; with too few the plan cannot be kept. */
const connections = 64;
const secondsMost = 25;
/** Of each way, before its processor time counts. */
const warmUpSeconds = 4;

export const measureForwarding: ClusterBench = (options) =>
  withProcesses(options.processes, async (opened): Promise<Figures> => {
    check(options.seconds <= secondsMost, `at most ${secondsMost} seconds: timestamps are ready`);
    const holder = await opened.untilWhole();
    const followers = followersOf(opened.deployment, holder);
    const follower = await askFollowers(followers, 'what forwarding costs');
    if (follower === undefined) return {};
    await calm();
    // Both ways have run before, as in a process that has served for a minute.
    await warmUp(opened, { holder, asked: follower, options });
    await warmUp(opened, { holder, asked: holder, options });
    const { orders } = options;
    const times = { direct: [] as number[], forwarded: [] as number[] };
    for (let order = 0; order < orders; order += 1) {
      times.direct.push(await timeOf(opened, holder));
      times.forwarded.push(await timeOf(opened, follower));
    }
    const [direct, forwarded] = [median(times.direct), median(times.forwarded)];
    say(
      `an order to the holder ${direct.toFixed(2)} ms, elsewhere ${forwarded.toFixed(2)} ms, p50`,
    );
    await warmUp(opened, { holder, asked: follower, options });
    const spent = await spentOn(opened, { holder, asked: follower, options });
    await warmUp(opened, { holder, asked: holder, options });
    const own = await spentOn(opened, { holder, asked: holder, options });
    sayTimes('forwarded to it', spent);
    sayTimes('of its own clients', own);
    return {
      forward_added_p50_ms: Number((forwarded - direct).toFixed(2)),
      forwarded_us: Math.round(spent.trading),
      forwarded_process_us: Math.round(spent.all),
      direct_us: Math.round(own.trading),
    };
  });

const sayTimes = (orders: string, { trading, all }: ThreadTimes): void =>
  say(
    `the holder, for an order ${orders}: ${trading.toFixed(1)} µs of the thread that trades, ` +
      `${all.toFixed(1)} µs of the process`,
  );

async function timeOf({ place }: Processes, member: Member): Promise<number> {
  const begun = performance.now();
  check(await place(member), 'an order is acknowledged');
  return performance.now() - begun;
}

type Spending = {
  readonly holder: Member;
  /** The process that gets the orders. */
  readonly asked: Member;
  readonly options: ClusterBenchOptions;
};

/** The same load, which may be slower than planned. */
async function warmUp(opened: Processes, { asked, options }: Spending): Promise<void> {
  await sendOrders(opened, { asked, options: { ...options, seconds: warmUpSeconds } });
}

/** Microseconds of the holder for each order. */
async function spentOn(opened: Processes, spending: Spending): Promise<ThreadTimes> {
  const pid = spending.holder.pid();
  check(pid !== undefined, 'the holder runs');
  const before = readThreadTimes(pid);
  const answered = await sendOrders(opened, spending);
  const after = readThreadTimes(pid);
  const { rate, seconds } = spending.options;
  check(answered >= 0.9 * rate * seconds, `${answered} orders were answered: too slow`);
  return timesPerOrder(before, after, answered);
}

/** Gives how many were answered; each answer must accept its order. */
async function sendOrders(
  { accounts }: Processes,
  { asked, options }: Omit<Spending, 'holder'>,
): Promise<number> {
  const { rate, seconds } = options;
  const load = forkHere('gatewayLoad.ts');
  try {
    const keys = accounts.map(({ key }) => key);
    const plan: LoadPlan = {
      ...{ port: asked.port, connections, rate, milliseconds: seconds * 1000, stamps: false },
      requests: makeRequests(keys, rate * seconds),
    };
    const { answered, accepted, refusal } = await askProcess<LoadResult>(load, plan);
    check(accepted === answered, `an order was refused: ${refusal}`);
    return answered;
  } finally {
    load.kill();
  }
}
