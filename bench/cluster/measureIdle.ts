// What a process costs that only follows, while no one trades: the processor time of all its
// threads.

import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterBench } from '../cluster.ts';
import { say } from '../report.ts';
import { readThreadTimes } from '../threadTimes.ts';
import { calm } from './calm.ts';
import { followersOf, withProcesses } from './withProcesses.ts';

export const measureIdle: ClusterBench = ({ processes, idle }) =>
  withProcesses(processes, async ({ deployment, untilWhole }) => {
    const holder = await untilWhole();
    const followers = followersOf(deployment, holder);
    await calm();
    const read = (): number[] => [holder, ...followers].map(({ pid }) => timeOf(pid()));
    const before = read();
    const begun = performance.now();
    await sleep(idle * 1000);
    const microseconds = (performance.now() - begun) * 1000;
    const shares = read().map((after, at) => ((after - before[at]!) / microseconds) * 100);
    const [ofHolder, ...others] = shares.map((share) => Number(share.toFixed(2)));
    say(`idle: ${others.join(' % and ')} % of a core; with the lease ${ofHolder} %`);
    return { idle_percent: Math.max(...others), idle_holder_percent: ofHolder! };
  });

const timeOf = (pid: number | undefined): number =>
  pid === undefined ? Number.NaN : readThreadTimes(pid).all;
