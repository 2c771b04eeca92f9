// The time until an answer, by operation and class of status.

import { Histogram, type Registry } from 'prom-client';
import type { Served } from '../../gateway/gateway.ts';
import { metricPrefix } from './addGauges.ts';

const secondsBuckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The histogram of one operation and class. Finding it again costs more than counting in it. */
type Child = { readonly observe: (seconds: number) => void };

export function addHttpMetrics(
  registry: Registry,
): (served: Pick<Served, 'operation' | 'status' | 'milliseconds'>) => void {
  const latency = new Histogram({
    name: `${metricPrefix}http_request_duration_seconds`,
    help: 'From the arrival of a request to its answer, by operation and class of status.',
    labelNames: ['operation', 'status'],
    buckets: secondsBuckets,
    registers: [registry],
  });
  const children = new Map<string, Child[]>();
  return ({ operation, status, milliseconds }) => {
    const statusClass = Math.floor(status / 100);
    let ofOperation = children.get(operation);
    if (ofOperation === undefined) {
      ofOperation = [];
      children.set(operation, ofOperation);
    }
    let child = ofOperation[statusClass];
    if (child === undefined) {
      child = latency.labels(operation, `${statusClass}xx`);
      ofOperation[statusClass] = child;
    }
    child.observe(Math.max(0, milliseconds) / 1000);
  };
}
