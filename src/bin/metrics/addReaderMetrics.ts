// How far the readers of the log are behind it. A new reader is one more member in the options of
// createMetrics.ts. Metrics, dashboard and alerts distinguish readers by their label.

import { Gauge, type Registry } from 'prom-client';
import type { RunningReplica } from '../../replica/replica.ts';
import { metricPrefix } from './addGauges.ts';

/** The progress of a reader of the log. */
export type ReaderProgress = {
  readonly position: number;
  /** The time of the batch at that position; 0 when it is not known yet. */
  readonly time: number;
};

/** By the names in the label. */
export type Readers = Readonly<Record<string, () => ReaderProgress>>;

export function addReaderMetrics(
  registry: Registry,
  replica: RunningReplica,
  readers: Readers,
): void {
  addReaderGauge(registry, readers, {
    name: 'reader_position',
    help: 'The last batch that a reader of the log has seen.',
    read: ({ position }) => position,
  });
  addReaderGauge(registry, readers, {
    name: 'reader_lag_batches',
    help: 'Durable batches that a reader of the log has not seen.',
    read: ({ position }) => Math.max(0, replica.head().position - position),
  });
  addReaderGauge(registry, readers, {
    name: 'reader_lag_seconds',
    help: "Between the log's time and that of the last batch that a reader has seen.",
    read: ({ position, time }) => {
      if (position >= replica.head().position || time === 0) return 0;
      return Math.max(0, replica.exchange.time - time) / 1000;
    },
  });
}

type ReaderGauge = {
  readonly name: string;
  readonly help: string;
  readonly read: (progress: ReaderProgress) => number;
};

function addReaderGauge(
  registry: Registry,
  readers: Readers,
  { name, help, read }: ReaderGauge,
): void {
  const gauge: Gauge<'reader'> = new Gauge({
    name: metricPrefix + name,
    help,
    labelNames: ['reader'],
    registers: [registry],
    collect: () => {
      for (const [reader, progress] of Object.entries(readers)) {
        gauge.set({ reader }, read(progress()));
      }
    },
  });
}
