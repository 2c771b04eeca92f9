// Gauges and counters whose value is read on request, from a number that exists anyway.

import { Counter, Gauge, type Registry } from 'prom-client';

/** The name without the prefix, its meaning, and the function that reads it. */
export type Reading = readonly [name: string, help: string, read: () => number];

export const metricPrefix = 'evermark_';

export function addGauges(registry: Registry, readings: readonly Reading[]): void {
  for (const [name, help, read] of readings) {
    const gauge: Gauge = new Gauge({
      name: metricPrefix + name,
      help,
      registers: [registry],
      collect: () => gauge.set(read()),
    });
  }
}

/**
 * The same for values that only grow. They start at 0 with the process unless the reader keeps
 * them.
 */
export function addCounters(registry: Registry, readings: readonly Reading[]): void {
  for (const [name, help, read] of readings) {
    const counter: Counter = new Counter({
      name: metricPrefix + name,
      help,
      registers: [registry],
      collect: () => {
        counter.reset();
        counter.inc(read());
      },
    });
  }
}
