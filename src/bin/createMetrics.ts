// The text of GET /metrics: the registry of every metric, put together. docs/operations/metrics.md
// describes what each means and what to do about it.

import { collectDefaultMetrics, Registry } from 'prom-client';
import type { ChainStanding } from '../api/deployment.ts';
import type { ConnectionFigures } from '../gateway/connectionClients.ts';
import type { Served } from '../gateway/gateway.ts';
import type { WorkerFigures } from '../gateway/workers/startGatewayWorkers.ts';
import type { RunningReplica } from '../replica/replica.ts';
import type { Clock } from '../std/clock.ts';
import type { StreamFigures } from '../streams/streams.ts';
import type { GapHoles } from './createGapHoles.ts';
import { addChainMetrics } from './metrics/addChainMetrics.ts';
import { addClusterMetrics } from './metrics/addClusterMetrics.ts';
import { addConnectionMetrics } from './metrics/addConnectionMetrics.ts';
import { addCounters, addGauges } from './metrics/addGauges.ts';
import { addHistoryMetrics, type HistoryReported } from './metrics/addHistoryMetrics.ts';
import { addHttpMetrics } from './metrics/addHttpMetrics.ts';
import { addMarketMetrics } from './metrics/addMarketMetrics.ts';
import { addReaderMetrics, type Readers } from './metrics/addReaderMetrics.ts';
import { addReplicaMetrics } from './metrics/addReplicaMetrics.ts';
import { addStreamMetrics } from './metrics/addStreamMetrics.ts';
import type { ClusterStanding } from './standingMembers.ts';

export type Metrics = {
  readonly onServed: (served: Pick<Served, 'operation' | 'status' | 'milliseconds'>) => void;
  /** The text that Prometheus reads. */
  readonly text: () => Promise<string>;
};

export type MetricsOptions = {
  readonly replica: RunningReplica;
  readonly clock: Clock;
  readonly streams: () => StreamFigures;
  /** The readers of the log, by name. */
  readonly readers: Readers;
  readonly history: HistoryReported;
  readonly workers: () => WorkerFigures;
  readonly connections: () => ConnectionFigures;
  /** Failures of the last full check of the invariants. */
  readonly invariantFailures: () => number;
  /** What a gap would cost, for each market. */
  readonly gapHoles: Pick<GapHoles, 'holeOf'>;
  readonly disk: Disk;
  /** Of a process with a log in PostgreSQL. */
  readonly standing?: (() => ClusterStanding) | undefined;
  /** How the chain service of this process stands. */
  readonly chain?: () => ChainStanding | undefined;
};

/** The file system of the log, in bytes. */
type Disk = {
  readonly freeBytes: () => number;
  /** Below this new orders are refused. */
  readonly freeBytesMin: number;
};

/** Becomes the replica's meter. */
export function createMetrics(options: MetricsOptions): Metrics {
  const { replica, clock, streams, readers, history, workers, invariantFailures, disk } = options;
  const registry = new Registry();
  // Its timer wakes the trading thread: with the default a hundred times a second.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 200 });
  const onServed = addHttpMetrics(registry);
  addReplicaMetrics(registry, replica, clock);
  addChainMetrics(registry, replica.exchange, options.chain ?? (() => undefined));
  addReaderMetrics(registry, replica, readers);
  addConnectionMetrics(registry, options.connections);
  addStreamMetrics(registry, streams);
  addMarketMetrics(registry, options);
  addHistoryMetrics(registry, history);
  if (options.standing !== undefined) addClusterMetrics(registry, options.standing);
  addGauges(registry, [
    [
      'invariant_failures',
      'What the last full check of the invariants found broken; 0 before the first.',
      invariantFailures,
    ],
    ['disk_free_bytes', 'Room on the file system of the log.', disk.freeBytes],
    [
      'disk_free_min_bytes',
      'The room below which new orders are refused.',
      () => disk.freeBytesMin,
    ],
    [
      'gateway_workers',
      'Threads that serve clients; 0 where the trading thread does.',
      () => workers().running,
    ],
  ]);
  addCounters(registry, [
    [
      'gateway_workers_ended_total',
      'Threads that served clients and ended unasked.',
      () => workers().ended,
    ],
  ]);
  return { onServed, text: () => registry.metrics() };
}
