// The invariants between a market's figures and its positions (BAL-2, FUND-1), of its interval of
// funding (FUND-1c), of its fees (LIQ-8), and of a settled market (SYM-2).

import { rateOne } from '../../units/units.ts';
import type { Account } from '../account.ts';
import { intervalMs, sharesOf } from '../clearing/accrueFunding.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Position } from '../position.ts';
import { allWaiting } from '../triggers/waitingTriggers.ts';
import { type Findings, must } from './findings.ts';

/** Sums over the positions of one market. */
export type MarketSums = {
  lots: bigint;
  entry: bigint;
  /** Without internal accounts. */
  longLots: bigint;
  shortLots: bigint;
  /** The number of positions with lots or live orders. */
  alive: number;
};

export function createMarketSums(exchange: Exchange): MarketSums[] {
  return exchange.markets.map(() => ({
    lots: 0n,
    entry: 0n,
    longLots: 0n,
    shortLots: 0n,
    alive: 0,
  }));
}

export function sumPosition(sums: MarketSums, account: Account, position: Position): void {
  const lots = BigInt(position.lots);
  sums.lots += lots;
  sums.entry += BigInt(position.entry);
  if (lots !== 0n || position.orderCount > 0) sums.alive += 1;
  if (account.house) return;
  if (lots > 0n) sums.longLots += lots;
  else sums.shortLots -= lots;
}

export function checkMarkets(findings: Findings, exchange: Exchange, all: MarketSums[]): void {
  for (const { id, symbol, figures, dues, triggers } of exchange.markets) {
    const sums = all[id]!;
    const equal = (what: string, figure: number, sum: bigint): void =>
      must(findings, BigInt(figure) === sum, () => {
        return `${symbol}: ${what} is ${figure}, its positions make ${sum}`;
      });
    must(findings, sums.lots === 0n, () => `${symbol}: Σ lots is ${sums.lots} (BAL-2)`);
    equal('positionLots', figures.positionLots, sums.lots);
    equal('entry', figures.entry, sums.entry);
    equal('long open interest', figures.longLots, sums.longLots);
    equal('short open interest', figures.shortLots, sums.shortLots);
    const shares = sharesOf(exchange.markets[id]!);
    const due = shares.reduce((sum, share) => sum + share.due, 0n);
    const accrued = shares.reduce((sum, share) => {
      const lots = exchange.accounts[share.account]?.positions[id]?.lots ?? 0;
      return sum + share.accrued - BigInt(lots) * BigInt(share.sum);
    }, 0n);
    must(findings, due === 0n && accrued === 0n, () => {
      return `${symbol}: funding of ${accrued} has accrued and ${due} is due in all (FUND-1c)`;
    });
    const { feesToShare } = figures;
    must(findings, feesToShare >= 0 && feesToShare <= exchange.funds.feeRevenue, () => {
      return `${symbol}: ${feesToShare} of fees wait, more than there are (LIQ-8)`;
    });
    if (dues.settledAt === 0) {
      checkInterval(findings, exchange.markets[id]!);
      continue;
    }
    const next = exchange.expiring.find(({ market }) => market === id)?.account;
    const late = allWaiting(triggers).filter(({ account }) => next === undefined || account < next);
    must(findings, sums.alive === 0 && late.length === 0, () => {
      return `${symbol}: settled with ${sums.alive} positions and ${late.length} triggers (SYM-2)`;
    });
  }
}

/**
 * No rate is above 1, so the sum of an interval is at most its length, and so is that of the due
 * one.
 */
function checkInterval(findings: Findings, market: Market): void {
  const { symbol, figures, dues } = market;
  const { fundingFrom: from, fundingEnd: end } = dues;
  const { fundingAt: at } = figures;
  must(findings, from <= at && at <= end, () => {
    return `${symbol}: funding is summed until ${at}, outside of its interval ${from} … ${end}`;
  });
  const isBounded = (sum: number, ms: number): boolean => Math.abs(sum) <= rateOne * ms;
  must(findings, isBounded(figures.fundingSum, Math.min(at - from, intervalMs(market))), () => {
    return `${symbol}: a sum of ${figures.fundingSum} is more than its time allows (FUND-1b)`;
  });
  must(findings, isBounded(dues.fundingSum, dues.fundingMs), () => {
    return `${symbol}: a due sum of ${dues.fundingSum} is more than ${dues.fundingMs} ms allow`;
  });
}
