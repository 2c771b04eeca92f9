// How fast a process with an empty directory reads a log back: each batch is checked, and written
// into its local segments.

import { join } from 'node:path';
import { catchUp } from '../../src/log/postgres/catchUp.ts';
import { openLocalSegments } from '../../src/log/postgres/openLocalSegments.ts';
import { endClient, openSession } from '../../src/log/postgres/openSession.ts';
import type { ClusterBench } from '../cluster.ts';
import { check, grouped, median, say } from '../report.ts';
import { withLog } from './withLog.ts';

const rounds = 3;
const segmentBytes = 64 * 1024 * 1024;

export const measureCatchUp: ClusterBench = ({ commands: wanted }) =>
  withLog(wanted, async ({ pair, log, durable, entry, directory }) => {
    let commands = 0;
    let last = 0;
    while (commands < wanted) {
      while (!log.ready()) await durable();
      const next = entry();
      commands += next.count;
      last = log.append(next);
    }
    while (log.head().position < last) await durable();
    const rates: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const segments = openLocalSegments({
        ...{ directory: join(directory, `reader-${round}`), segmentBytes, report: say },
      });
      const session = await openSession({
        ...{ url: pair.url(), applicationName: 'evermark bench', replicatedStorage: false },
      });
      const begun = performance.now();
      await catchUp(session, segments, last);
      rates.push((commands * 1000) / (performance.now() - begun));
      endClient(session.client);
      check(segments.head().hash.equals(log.head().hash), 'the segments end where the log does');
      segments.close();
    }
    say(`catch-up of ${grouped(commands)} commands: ${rates.map(grouped).join(', ')} commands/s`);
    return { catch_up_per_s: Math.round(median(rates)) };
  });
