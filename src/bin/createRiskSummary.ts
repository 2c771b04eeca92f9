// A summary for the operator of what the exchange did to accounts: at each look one line for each
// market, however many positions were closed, and one line for each market whose price jumped.

import { type Exchange, marketById, marketsOf } from '../engine/views/exchange.ts';
import type { ForceOrder } from '../market-data/forceOrders.ts';
import { countsOf } from '../market-data/riskCounts.ts';
import { newestRow } from '../market-data/rowRing.ts';
import type { RunningReplica } from '../replica/replica.ts';
import { formatQuotient, formatSteps } from '../units/decimal.ts';
import { type MarketId, moneyDecimals, usdt } from '../units/units.ts';

export type RiskSummary = {
  /** To be called about once a second: checks what has happened since the last call. */
  readonly check: () => void;
};

export type RiskSummaryOptions = {
  readonly replica: Pick<RunningReplica, 'exchange' | 'views'>;
  /** Receives each line as a sentence. */
  readonly report: (message: string) => void;
};

/** Reports nothing that happened before. */
export function createRiskSummary({ replica, report }: RiskSummaryOptions): RiskSummary {
  const { exchange, views } = replica;
  const { forceOrders, riskCounts } = views;
  let seen = newestRow(forceOrders);
  const trips = new Map<MarketId, number>();
  for (const { id } of marketsOf(exchange)) trips.set(id, countsOf(riskCounts, id).breakerTrips);
  return {
    check: () => {
      const closed = new Map<MarketId, ForceOrder[]>();
      const { ring, oldest } = forceOrders;
      for (let back = 1; back <= ring.length; back += 1) {
        const row = ring[(oldest + ring.length - back) % ring.length]!;
        if (row === seen) break;
        const rows = closed.get(row.market) ?? [];
        closed.set(row.market, rows);
        rows.push(row);
      }
      seen = newestRow(forceOrders);
      for (const [market, rows] of closed) report(closedMessage(exchange, market, rows));
      for (const { id } of marketsOf(exchange)) {
        const { breakerTrips } = countsOf(riskCounts, id);
        if (breakerTrips > (trips.get(id) ?? 0)) report(jumpMessage(exchange, id));
        trips.set(id, breakerTrips);
      }
    },
  };
}

function closedMessage(exchange: Exchange, id: MarketId, rows: readonly ForceOrder[]): string {
  const { symbol } = marketById(exchange, id)!;
  const { LIQUIDATION, ADL } = Object.groupBy(rows, ({ autoCloseType }) => autoCloseType);
  const parts = [
    ...(LIQUIDATION === undefined ? [] : [`liquidated ${sumText(LIQUIDATION)}`]),
    ...(ADL === undefined ? [] : [`deleveraged ${sumText(ADL)}`]),
  ];
  return `${symbol}: ${parts.join('; ')}`;
}

function sumText(rows: readonly ForceOrder[]): string {
  const accounts = new Set(rows.map(({ account }) => account)).size;
  const notional = rows.reduce((sum, row) => sum + BigInt(Math.abs(row.notional)), 0n);
  const money = formatQuotient(notional, BigInt(usdt), moneyDecimals);
  return `${accounts} accounts in ${rows.length} steps, ${money} USDT`;
}

function jumpMessage(exchange: Exchange, id: MarketId): string {
  const { symbol, prices, tick } = marketById(exchange, id)!;
  return (
    `${symbol}: the mark moved more than 10 % within a minute, to ` +
    `${formatSteps(prices.mark, tick)}: for 30 s only orders that reduce or rest are taken`
  );
}
