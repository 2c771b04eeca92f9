// The process with the lease is killed while orders go to all processes: how long until another one
// acknowledges an order, and whether anything that was acknowledged is lost or executed twice.

import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterBench } from '../cluster.ts';
import { check, median, percentiles, say } from '../report.ts';
import { loadMembers } from './loadMembers.ts';
import { followersOf, withProcesses } from './withProcesses.ts';

const loadMs = 400;
/** Between two orders, and between two attempts at a process that does not serve yet. */
const restMs = 5;
const takeoverMs = 120_000;

export const measureKills: ClusterBench = ({ processes, kills }) =>
  withProcesses(processes, async ({ deployment, place, untilWhole, countLost }) => {
    const times: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const holder = await untilWhole();
      const others = followersOf(deployment, holder);
      let isOver = false;
      const load = loadMembers({ members: deployment.members, once: place, restMs });
      await sleep(loadMs);
      const begun = performance.now();
      await holder.kill();
      const first = others.map(async (member) => {
        while (!isOver && performance.now() - begun < takeoverMs) {
          if (await place(member)) return;
          await sleep(restMs);
        }
        throw new Error(`no answer for ${takeoverMs / 1000} s after a kill: ${member.journal()}`);
      });
      await Promise.any(first).catch(({ errors }: AggregateError) => {
        throw errors[0];
      });
      times.push(performance.now() - begun);
      isOver = true;
      holder.start();
      await Promise.allSettled(first);
      await load.end();
      say(`kill ${kill + 1}: ${times.at(-1)!.toFixed(0)} ms`);
    }
    await untilWhole();
    const { acknowledged, lost } = await countLost();
    say(`kill to the first acknowledged order elsewhere: ${percentiles(times, 'ms')}`);
    say(`  ${acknowledged} orders acknowledged, ${lost} of them lost, none executed twice`);
    check(lost === 0, `${lost} acknowledged orders are lost`);
    return {
      kill_p50_ms: Math.round(median(times)),
      kill_max_ms: Math.round(Math.max(...times)),
      kills,
      ...{ acknowledged, lost, executed_twice: 0 },
    };
  });
