// The operator has the lease handed over while orders go to all processes: the pause that clients
// of the deployment see, between two acknowledgements.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Member, until } from '../../kills/openMember.ts';
import { askHandover } from '../../src/log/postgres/askHandover.ts';
import { endClient, openSession } from '../../src/log/postgres/openSession.ts';
import { systemScheduler } from '../../src/std/scheduler.ts';
import type { ClusterBench } from '../cluster.ts';
import { median, percentiles, say } from '../report.ts';
import { loadMembers } from './loadMembers.ts';
import { withProcesses } from './withProcesses.ts';

const loadMs = 500;
const restMs = 2;
const takeoverMs = 120_000;

export const measureHandover: ClusterBench = ({ processes, handovers }) =>
  withProcesses(processes, async ({ deployment, place, untilWhole, countLost }) => {
    const pauses: number[] = [];
    for (let round = 0; round < handovers; round += 1) {
      const holder = await untilWhole();
      let lastAt = performance.now();
      let longest = 0;
      let elsewhere = 0;
      const placeAndTime = async (member: Member): Promise<void> => {
        if (!(await place(member))) return;
        const now = performance.now();
        longest = Math.max(longest, now - lastAt);
        lastAt = now;
        if (member !== holder) elsewhere += 1;
      };
      const load = loadMembers({ members: deployment.members, once: placeAndTime, restMs });
      await sleep(loadMs);
      longest = 0;
      elsewhere = 0;
      const session = await openSession({
        ...{ url: deployment.pair.url(), applicationName: 'evermark bench' },
        replicatedStorage: false,
      });
      await askHandover(session.client, { named: undefined, scheduler: systemScheduler });
      endClient(session.client);
      // A process that follows passes orders on, so the answers say nothing about the holder.
      const isHeir = async (): Promise<boolean> => {
        const heir = await deployment.holder();
        return heir !== undefined && heir !== holder && elsewhere > 0;
      };
      await until(isHeir, { withinMs: takeoverMs, or: 'no other process served' });
      await sleep(loadMs);
      await load.end();
      pauses.push(longest);
      say(`handover ${round + 1}: ${longest.toFixed(0)} ms`);
    }
    await untilWhole();
    const { acknowledged, lost } = await countLost();
    say(`pause of a handover: ${percentiles(pauses, 'ms')}; ${acknowledged} acknowledged`);
    return {
      handover_p50_ms: Math.round(median(pauses)),
      handover_max_ms: Math.round(Math.max(...pauses)),
      handovers_lost: lost,
    };
  });
