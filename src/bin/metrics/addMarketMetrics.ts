// The state of each market's prices and liquidations.

import { Counter, Gauge, type Registry } from 'prom-client';
import type { Restriction } from '../../engine/marketTerms.ts';
import { type Exchange, marketsOf } from '../../engine/views/exchange.ts';
import { type Market, restrictionOf } from '../../engine/views/market.ts';
import { countsOf, type MarketCounts, type RiskCounts } from '../../market-data/riskCounts.ts';
import type { RunningReplica } from '../../replica/replica.ts';
import type { Clock } from '../../std/clock.ts';
import { type Time, usdt } from '../../units/units.ts';
import type { GapHoles } from '../createGapHoles.ts';
import { metricPrefix } from './addGauges.ts';

export type MarketSources = {
  readonly replica: RunningReplica;
  readonly clock: Clock;
  readonly gapHoles: Pick<GapHoles, 'holeOf'>;
};

export function addMarketMetrics(registry: Registry, sources: MarketSources): void {
  const { replica } = sources;
  addMarketGauges(registry, sources);
  addMarketCounters(registry, replica.exchange, replica.views.riskCounts);
}

const restrictionLevels: Record<Restriction, number> = { none: 0, breaker: 1, stale: 2, halted: 3 };

// A settled market does not wait for a price any more, and has no sample.
function addMarketGauges(
  registry: Registry,
  { replica: { exchange }, clock, gapHoles }: MarketSources,
): void {
  const gauges: [string, string, (market: Market, now: Time) => number | undefined][] = [
    [
      'index_age_seconds',
      'Seconds since the last accepted index, or since the listing.',
      ({ prices, listedAt }, now) => Math.max(0, now - (prices.indexAt || listedAt)) / 1000,
    ],
    [
      'market_restriction',
      'What the prices forbid: 0 nothing, 1 reduce-only by the breaker, 2 by age, 3 halted.',
      (market, now) => restrictionLevels[restrictionOf(market, now)],
    ],
    [
      'gap_hole_usdt',
      "What a gap of the market's gap_rate would take beyond the equity of the positions.",
      ({ id }) => {
        const hole = gapHoles.holeOf(id);
        return hole === undefined ? undefined : hole / usdt;
      },
    ],
  ];
  for (const [name, help, read] of gauges) {
    const gauge: Gauge<'symbol'> = new Gauge({
      name: metricPrefix + name,
      help,
      labelNames: ['symbol'],
      registers: [registry],
      collect: () => {
        gauge.reset();
        const now = clock.now() as Time;
        for (const market of marketsOf(exchange)) {
          const value = market.dues.settledAt === 0 ? read(market, now) : undefined;
          if (value !== undefined) gauge.set({ symbol: market.symbol }, value);
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
      name: metricPrefix + name,
      help,
      labelNames: ['symbol'],
      registers: [registry],
      // The counts begin with the log and survive a restart.
      collect: () => {
        counter.reset();
        for (const { id, symbol } of marketsOf(exchange)) {
          counter.inc({ symbol }, countsOf(counts, id)[key]);
        }
      },
    });
  }
}
