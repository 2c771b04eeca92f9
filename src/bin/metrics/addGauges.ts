// Gauges and counters whose value is read when somebody asks: a number that is kept anyway.

import { Counter, Gauge, type Registry } from 'prom-client';

/** Name without the prefix, what it means, and where it is read. */
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
 * The same for what only grows; it begins anew with the process unless its reader says otherwise.
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
