// Goal: the times of answers are shown as the metrics library would show them. Method: the same
// drawn answers go to its histogram, and the texts must be equal.

import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { addHttpMetrics, secondsBuckets } from '../../src/bin/metrics/addHttpMetrics.ts';
import { createPrng } from '../../src/std/prng.ts';

test('times of answers are shown as a histogram of the library shows them', async () => {
  const [registry, twin] = [new Registry(), new Registry()];
  const onServed = addHttpMetrics(registry);
  const name = 'evermark_http_request_duration_seconds';
  const help = 'From the arrival of a request to its answer, by operation and class of status.';
  const labelNames = ['operation', 'status'];
  const buckets = [...secondsBuckets];
  const histogram = new Histogram({ name, help, labelNames, buckets, registers: [twin] });
  expect(await registry.metrics()).toBe(await twin.metrics());
  const prng = createPrng(1);
  for (let i = 0; i < 500; i += 1) {
    const operation = ['placeOrder', 'cancelOrder', 'getHealth'][prng.below(3)]!;
    const status = [200, 204, 400, 429, 500][prng.below(5)]!;
    // Near and on the ends of buckets, below zero and above the last one.
    const end = [0, ...secondsBuckets, 9][prng.below(15)]!;
    const milliseconds = end * 1000 + (prng.below(3) - 1) / 8;
    onServed({ operation, status, milliseconds });
    const seconds = Math.max(0, milliseconds) / 1000;
    histogram.labels(operation, `${Math.floor(status / 100)}xx`).observe(seconds);
  }
  expect(await registry.metrics()).toBe(await twin.metrics());
});
