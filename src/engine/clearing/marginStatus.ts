// Margin status: equity against maintenance margin of what is liquidated together, a cross account
// with all its positions, or one isolated position (LIQ-1, MAR-7); at the mark, or at the index.

import type { Money } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import { isMarketLive } from '../market.ts';
import type { Position } from '../position.ts';
import { indexMovedToSettlement } from '../settlementTicks.ts';
import { owedApart, owedFunding } from './accrueFunding.ts';
import { maintenanceAt } from './maintenance.ts';
import { equityAt, maintenanceSumAt, markOf, type PriceOf, unrealizedAt } from './margin.ts';

/** A cross or unified account (`position` undefined), or one isolated position of an account. */
export type Subject = { readonly account: Account; readonly position: Position | undefined };

export type MarginStatus = { readonly equity: Money; readonly maintenance: Money };

/** What is liquidated together with this position. */
export function subjectOf(exchange: Exchange, position: Position): Subject {
  const account = exchange.accounts[position.account]!;
  return { account, position: account.marginMode === 'isolated' ? position : undefined };
}

/**
 * The parts of an account that are liquidated separately: all of it, or each of its isolated open
 * positions.
 */
export function subjectsOf(account: Account): Subject[] {
  if (account.marginMode !== 'isolated') return [{ account, position: undefined }];
  return positionsOf({ account, position: undefined }).map((position) => ({ account, position }));
}

/** The open positions of a subject, by market. */
export function positionsOf({ account, position }: Subject): Position[] {
  const all = position === undefined ? account.positions : [position];
  return all.filter((each): each is Position => each !== undefined && each.lots !== 0);
}

/** Whether a subject has such an open position. */
export function holdsAny(
  { account, position }: Subject,
  isOne: (position: Position) => boolean,
): boolean {
  if (position !== undefined) return position.lots !== 0 && isOne(position);
  for (const each of account.positions) {
    if (each !== undefined && each.lots !== 0 && isOne(each)) return true;
  }
  return false;
}

/** At the last accepted marks (PRC-4). */
export function marginStatusOf(exchange: Exchange, subject: Subject): MarginStatus {
  return marginStatusAt(exchange, subject, markOf);
}

/**
 * With live markets at their index, moved as their mark is (SYM-2c), and the others at their mark
 * (LIQ-1).
 */
export function marginStatusAtIndex(exchange: Exchange, subject: Subject): MarginStatus {
  return marginStatusAt(exchange, subject, indexWhereLive);
}

const indexWhereLive: PriceOf = (market, now) =>
  isMarketLive(market, now) ? indexMovedToSettlement(market) : market.prices.mark;

/**
 * Whether a subject is liquidated (LIQ-1): it is below maintenance at the mark and, unless it has
 * no equity left, at the index too.
 */
export function isFailing(
  { equity, maintenance }: MarginStatus,
  atIndex: () => MarginStatus,
): boolean {
  if (equity >= maintenance) return false;
  if (equity <= 0) return true;
  const there = atIndex();
  return there.equity < there.maintenance;
}

/** The margin status at any prices; the two functions above use the present ones. */
export function marginStatusAt(
  exchange: Exchange,
  { account, position }: Subject,
  priceOf: PriceOf,
): MarginStatus {
  if (position === undefined) {
    const equity = equityAt(exchange, account, priceOf);
    return { equity, maintenance: maintenanceSumAt(exchange, account, priceOf) };
  }
  const market = exchange.markets[position.market]!;
  const ticks = priceOf(market, exchange.time);
  const equity = (position.collateral + unrealizedAt(market, position, ticks)) as Money;
  return { equity, maintenance: maintenanceAt(market, position, ticks) };
}

/**
 * The margin status from which a liquidation step takes (FUND-1d): without the funding owed so far.
 * An isolated position leaves of it what the available balance of its account does not cover.
 */
export function statusToSpend(
  exchange: Exchange,
  { account, position }: Subject,
  { equity, maintenance }: MarginStatus,
  available = account.available,
): MarginStatus {
  if (equity <= 0) return { equity, maintenance };
  const owed =
    position === undefined
      ? owedFunding(exchange, account)
      : Math.max(0, owedApart(exchange, position) - available);
  return { equity: Math.max(0, equity - owed) as Money, maintenance };
}
