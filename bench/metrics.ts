// What metrics cost a request: its stopwatch, its place in the histogram of its operation, the
// counts of its command, and a hundredth of its batch's. It measures processor time, so that other
// work on the machine matters less. It also measures one reading of /metrics.

import { createMetrics } from '../src/bin/createMetrics.ts';
import type { Command } from '../src/engine/command.ts';
import type { Outcome } from '../src/engine/outcome.ts';
import type { ReplicaMeter } from '../src/replica/replica.ts';
import { must } from '../src/std/assert.ts';
import { stopwatchMs } from '../src/std/clock.ts';
import type { AccountId } from '../src/units/units.ts';
import { quietMetrics } from '../test/bin/readMetrics.ts';
import { createSteppedReplica } from '../test/fixtures/steppedReplica.ts';
import { check, median, say, sayConditions, sayResult } from './report.ts';

const rounds = 7;
const requests = 500_000;
const batch = 100;
const operations = ['placeOrder', 'cancelOrder', 'getOrder', 'getOrderBook'] as const;

const command: Command = {
  kind: 'cancelOrder',
  account: 0 as AccountId,
  market: undefined,
  order: { clientOrderId: 'x' },
};
const accepted: Outcome = { kind: 'accepted' };
const refused: Outcome = { kind: 'rejected', rejection: { reason: 'orderNotFound' } };

export async function runMetricsBench(): Promise<void> {
  sayConditions('metrics', { requests, rounds, 'requests of a batch': batch });
  const stepped = createSteppedReplica();
  const { clock } = stepped;
  let meter: ReplicaMeter | undefined;
  const replica = {
    ...stepped.replica,
    measure: (given: ReplicaMeter) => {
      meter = given;
    },
  };
  const metrics = createMetrics({ ...quietMetrics, replica, clock });
  const measured = must(meter, 'the metrics measure the replica');
  const request = (at: number): void => {
    const startedAt = stopwatchMs();
    measured.onCommand(command, at % 8 === 0 ? refused : accepted);
    if (at % batch === 0) measured.onBatch({ commands: batch, bytes: 9000, milliseconds: 3 });
    const status = at % 8 === 0 ? 400 : 200;
    const milliseconds = stopwatchMs() - startedAt;
    metrics.onServed({ operation: operations[at % operations.length]!, status, milliseconds });
  };
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begin = process.cpuUsage();
    for (let at = 0; at < requests; at += 1) request(at);
    const { user, system } = process.cpuUsage(begin);
    times.push(((user + system) * 1000) / requests);
  }
  const text = await metrics.text();
  const total = rounds * requests;
  const counted = [...text.matchAll(/^evermark_http_request_duration_seconds_count\{.* (\d+)$/gm)];
  check(counted.reduce((sum, [, count]) => sum + Number(count), 0) === total, 'all are counted');
  check(text.includes(`evermark_commands_total{kind="cancelOrder"} ${total}`), 'commands too');
  const readings: number[] = [];
  for (let round = 0; round < 50; round += 1) {
    const begin = stopwatchMs();
    await metrics.text();
    readings.push(stopwatchMs() - begin);
  }
  const nanoseconds = median(times);
  say(
    `  a request: ${nanoseconds.toFixed(0)} ns (${times.map((each) => each.toFixed(0)).join(', ')})`,
  );
  say(`  reading /metrics: ${median(readings).toFixed(2)} ms`);
  sayResult({ bench: 'metrics', requestNs: nanoseconds, readingMs: median(readings) });
}
