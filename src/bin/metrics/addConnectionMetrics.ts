// Connections that were refused or closed in favour of others (CON-1).

import { Counter, type Registry } from 'prom-client';
import type { ConnectionFigures } from '../../gateway/connectionClients.ts';
import { addCounters, metricPrefix } from './addGauges.ts';

export function addConnectionMetrics(
  registry: Registry,
  connections: () => ConnectionFigures,
): void {
  const refused: Counter<'reason'> = new Counter({
    name: `${metricPrefix}connections_refused_total`,
    help: 'Connections that were closed before they were read, by the bound that was reached.',
    labelNames: ['reason'],
    registers: [registry],
    collect: () => {
      refused.reset();
      for (const [reason, count] of Object.entries(connections().refused)) {
        refused.inc({ reason }, count);
      }
    },
  });
  addCounters(registry, [
    [
      'connections_evicted_total',
      'Idle connections that gave way to others because all were taken.',
      () => connections().evicted,
    ],
  ]);
}
