// How long a batch takes until it is durable on two servers, and how many come through at once.

import type { ClusterBench } from '../cluster.ts';
import { grouped, percentile, percentiles, say } from '../report.ts';
import { withLog } from './withLog.ts';

const commandsPerBatch = 100;
const warmUp = 50;

export const measureAppend: ClusterBench = ({ appends }) =>
  withLog(2 * appends * commandsPerBatch, async ({ log, durable, entry }) => {
    const times: number[] = [];
    for (let round = 0; round < warmUp + appends; round += 1) {
      const begun = performance.now();
      const position = log.append(entry());
      while (log.head().position < position) await durable();
      if (round >= warmUp) times.push(performance.now() - begun);
    }
    const begun = performance.now();
    let commands = 0;
    let last = 0;
    for (let round = 0; round < appends; round += 1) {
      while (!log.ready()) await durable();
      const next = entry();
      commands += next.count;
      last = log.append(next);
    }
    while (log.head().position < last) await durable();
    const perSecond = (commands * 1000) / (performance.now() - begun);
    const best = percentile(times, 0.1);
    say(`append: best decile ${best.toFixed(2)} ms, ${percentiles(times, 'ms')}`);
    say(`  four batches at once: ${grouped(perSecond)} commands/s`);
    return {
      append_p10_ms: Number(best.toFixed(2)),
      append_p50_ms: Number(percentile(times, 0.5).toFixed(2)),
      append_p99_ms: Number(percentile(times, 0.99).toFixed(2)),
      append_commands_per_s: Math.round(perSecond),
    };
  });
