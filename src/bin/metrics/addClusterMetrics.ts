// Which part a process has among several on one log in PostgreSQL, and how far it is behind.

import type { Registry } from 'prom-client';
import type { ClusterStanding } from '../standingMembers.ts';
import { addGauges } from './addGauges.ts';

export function addClusterMetrics(registry: Registry, standing: () => ClusterStanding): void {
  addGauges(registry, [
    [
      'cluster_sequencer',
      'Whether this process writes the log that several share: 1 or 0.',
      () => Number(standing().role === 'sequencer'),
    ],
    [
      'cluster_lag_seconds',
      'The age of the last batch that this process has applied; 0 for the one that writes.',
      () => standing().lagMs / 1000,
    ],
  ]);
}
