// What GET /metrics tells: how long answers take, what the engine holds, how the runtime does.

import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Served } from '../gateway/gateway.ts';
import type { RunningReplica } from '../replica/replica.ts';

export type Metrics = {
  readonly onServed: (served: Served) => void;
  /** The exposition as text. */
  readonly text: () => Promise<string>;
};

const secondsBuckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function createMetrics(replica: RunningReplica): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const latency = new Histogram({
    name: 'evermark_http_request_duration_seconds',
    help: 'From the arrival of a request to its answer.',
    labelNames: ['operation', 'status'],
    buckets: secondsBuckets,
    registers: [registry],
  });
  addGauges(registry, replica);
  return {
    onServed: ({ operation, status, milliseconds }) => {
      const seconds = Math.max(0, milliseconds) / 1000;
      latency.observe({ operation, status: `${Math.floor(status / 100)}xx` }, seconds);
    },
    text: () => registry.metrics(),
  };
}

// Read when somebody asks; each is a number that the engine keeps anyway.
function addGauges(registry: Registry, replica: RunningReplica): void {
  const { exchange } = replica;
  const gauges: [string, string, () => number][] = [
    ['log_position', 'The last durable batch.', () => replica.head().position],
    ['applied_position', 'The last applied batch.', () => replica.figures().position],
    ['commands', 'Commands applied since the log began.', () => replica.figures().commands],
    ['events', 'Events since the log began.', () => replica.figures().events],
    ['commands_waiting', 'Commands that wait for their batch.', () => replica.waiting()],
    ['accounts', 'Accounts.', () => exchange.accounts.length],
    ['open_orders', 'Open orders.', () => exchange.orders.size],
    ['markets', 'Listed markets.', () => exchange.markets.length],
    ['api_keys', 'API keys.', () => exchange.apiKeys.size],
    ['insurance_fund_usdt', 'The insurance fund.', () => exchange.funds.insurance / 1e6],
    ['shortfall_usdt', 'What nobody could pay.', () => exchange.funds.shortfall / 1e6],
  ];
  for (const [name, help, read] of gauges) {
    const gauge: Gauge = new Gauge({
      name: `evermark_${name}`,
      help,
      registers: [registry],
      collect: () => gauge.set(read()),
    });
  }
}
