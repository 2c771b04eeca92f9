// What GET /metrics tells: how long answers take, what the engine holds, how each market's prices
// and liquidations do, how the runtime does.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { insuranceAccount } from '../engine/account.ts';
import type { Exchange } from '../engine/exchange.ts';
import { type Market, type Restriction, restrictionOf } from '../engine/market.ts';
import type { Served } from '../gateway/gateway.ts';
import { countsOf, type MarketCounts, type RiskCounts } from '../market-data/riskCounts.ts';
import type { RunningReplica } from '../replica/replica.ts';
import type { Clock } from '../std/clock.ts';
import type { StreamFigures } from '../streams/streams.ts';
import { type Money, type Time, usdt } from '../units/units.ts';

export type Metrics = {
  readonly onServed: (served: Served) => void;
  /** The exposition as text. */
  readonly text: () => Promise<string>;
};

const secondsBuckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function createMetrics(
  replica: RunningReplica,
  clock: Clock,
  streams: () => StreamFigures,
): Metrics {
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
  addStreamGauges(registry, streams);
  addMarketGauges(registry, replica.exchange, clock);
  addMarketCounters(registry, replica.exchange, replica.views.riskCounts);
  return {
    onServed: ({ operation, status, milliseconds }) => {
      const seconds = Math.max(0, milliseconds) / 1000;
      latency.observe({ operation, status: `${Math.floor(status / 100)}xx` }, seconds);
    },
    text: () => registry.metrics(),
  };
}

const inUsdt = (money: Money): number => money / usdt;

// Read when somebody asks; each is a number that the engine keeps anyway.
function addGauges(registry: Registry, replica: RunningReplica): void {
  const { exchange, views } = replica;
  const { accounts, funds } = exchange;
  const gauges: [string, string, () => number][] = [
    ['log_position', 'The last durable batch.', () => replica.head().position],
    ['applied_position', 'The last applied batch.', () => replica.figures().position],
    ['commands', 'Commands applied since the log began.', () => replica.figures().commands],
    ['events', 'Events since the log began.', () => replica.figures().events],
    ['commands_waiting', 'Commands that wait for their batch.', () => replica.waiting()],
    ['accounts', 'Accounts.', () => accounts.length],
    ['open_orders', 'Open orders.', () => exchange.orders.size],
    ['triggers', 'Triggers that wait or whose order lives.', () => exchange.triggers.size],
    ['markets', 'Listed markets.', () => exchange.markets.length],
    ['api_keys', 'API keys.', () => exchange.apiKeys.size],
    [
      'insurance_fund_usdt',
      'The balance of the insurance fund.',
      () => inUsdt(accounts[insuranceAccount]!.available),
    ],
    ['shortfall_usdt', 'What nobody could pay.', () => inUsdt(funds.shortfall)],
    [
      'in_liquidation',
      'Accounts and isolated positions that are being liquidated.',
      () => views.riskCounts.flagged,
    ],
    [
      'withdrawals_pending',
      'Withdrawals that wait for the chain.',
      () => exchange.withdrawals.size,
    ],
    [
      'withdrawals_pending_usdt',
      'What waits for the chain.',
      () => inUsdt(funds.pendingWithdrawals),
    ],
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

function addStreamGauges(registry: Registry, streams: () => StreamFigures): void {
  const gauges: [string, string, (figures: StreamFigures) => number][] = [
    ['stream_readers', 'Sockets that are open.', ({ readers }) => readers],
    ['stream_channels', 'Channels that are read or can be resumed.', ({ channels }) => channels],
    ['stream_subscriptions', 'Readers of all channels.', ({ subscriptions }) => subscriptions],
    ['stream_ring_bytes', 'What can be asked for again.', ({ ringBytes }) => ringBytes],
    ['stream_waiting', 'Messages that wait for their readers.', ({ waiting }) => waiting],
  ];
  for (const [name, help, read] of gauges) {
    const gauge: Gauge = new Gauge({
      name: `evermark_${name}`,
      help,
      registers: [registry],
      collect: () => gauge.set(read(streams())),
    });
  }
}

const restrictionLevels: Record<Restriction, number> = { none: 0, breaker: 1, stale: 2, halted: 3 };

// A market that is settled waits for no price any more and has no sample.
function addMarketGauges(registry: Registry, exchange: Exchange, clock: Clock): void {
  const gauges: [string, string, (market: Market, now: Time) => number][] = [
    [
      'index_age_seconds',
      'Since the index was last accepted, or since the listing.',
      ({ prices, listedAt }, now) => Math.max(0, now - (prices.indexAt || listedAt)) / 1000,
    ],
    [
      'market_restriction',
      'What the prices forbid: 0 nothing, 1 reduce-only by the breaker, 2 by age, 3 halted.',
      (market, now) => restrictionLevels[restrictionOf(market, now)],
    ],
  ];
  for (const [name, help, read] of gauges) {
    const gauge: Gauge<'symbol'> = new Gauge({
      name: `evermark_${name}`,
      help,
      labelNames: ['symbol'],
      registers: [registry],
      collect: () => {
        gauge.reset();
        const now = clock.now() as Time;
        for (const market of exchange.markets) {
          if (market.dues.settledAt === 0) gauge.set({ symbol: market.symbol }, read(market, now));
        }
      },
    });
  }
}

function addMarketCounters(registry: Registry, exchange: Exchange, counts: RiskCounts): void {
  const counters: [string, string, keyof MarketCounts][] = [
    ['index_refusals_total', 'Indexes that the gate refused.', 'indexRefusals'],
    ['breaker_trips_total', 'Times the mark moved too fast.', 'breakerTrips'],
    ['liquidations_total', 'Liquidation orders.', 'liquidations'],
    ['takeovers_total', 'Positions or parts that the insurance fund took over.', 'takeovers'],
    ['deleveragings_total', 'Positions or parts that were deleveraged.', 'deleveragings'],
  ];
  for (const [name, help, key] of counters) {
    const counter: Counter<'symbol'> = new Counter({
      name: `evermark_${name}`,
      help,
      labelNames: ['symbol'],
      registers: [registry],
      // The counts are since the log began and survive a restart.
      collect: () => {
        counter.reset();
        for (const { id, symbol } of exchange.markets) {
          counter.inc({ symbol }, countsOf(counts, id)[key]);
        }
      },
    });
  }
}
