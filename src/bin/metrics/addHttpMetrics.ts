// The time until an answer, by operation and class of status. It is counted here and not by the
// metrics library, which takes 0.3 µs for each value: that is 3 % of an order's time in the trading
// thread.

import type { Histogram, Registry } from 'prom-client';
import type { Served } from '../../gateway/gateway.ts';
import { metricPrefix } from './addGauges.ts';

const name = `${metricPrefix}http_request_duration_seconds`;
const help = 'From the arrival of a request to its answer, by operation and class of status.';
/** The upper ends of the buckets, which belong to them. */
export const secondsBuckets: readonly number[] = [
  0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];

/** The answers of one operation and class of status. */
type Times = {
  readonly labels: { readonly operation: string; readonly status: string };
  /** How many fell into each bucket, and behind them those above the last one. */
  readonly counts: Float64Array;
  seconds: number;
};

export function addHttpMetrics(
  registry: Registry,
): (served: Pick<Served, 'operation' | 'status' | 'milliseconds'>) => void {
  const all: Times[] = [];
  const byOperation = new Map<string, Times[]>();
  const read = async (): Promise<object> => ({
    ...{ name, help, type: 'histogram', aggregator: 'sum' },
    values: all.flatMap(valuesOf),
  });
  // The registry asks no more of a metric that it shows.
  registry.registerMetric({ name, help, get: read } as unknown as Histogram);
  return ({ operation, status, milliseconds }) => {
    const statusClass = Math.floor(status / 100);
    let ofOperation = byOperation.get(operation);
    if (ofOperation === undefined) {
      ofOperation = [];
      byOperation.set(operation, ofOperation);
    }
    let times = ofOperation[statusClass];
    if (times === undefined) {
      const counts = new Float64Array(secondsBuckets.length + 1);
      times = { labels: { operation, status: `${statusClass}xx` }, counts, seconds: 0 };
      ofOperation[statusClass] = times;
      all.push(times);
    }
    count(times, Math.max(0, milliseconds) / 1000);
  };
}

function count(times: Times, seconds: number): void {
  let bucket = 0;
  while (bucket < secondsBuckets.length && seconds > secondsBuckets[bucket]!) bucket += 1;
  times.counts[bucket]! += 1;
  times.seconds += seconds;
}

type Value = { readonly metricName: string; readonly labels: object; readonly value: number };

/** As a histogram of the library shows it: each bucket contains those before it. */
function valuesOf({ labels, counts, seconds }: Times): Value[] {
  let sum = 0;
  const buckets = [...secondsBuckets, '+Inf'].map((le, at) => {
    sum += counts[at]!;
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: sum };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: sum },
  ];
}
