// Equity against maintenance margin of what is liquidated as one: a cross account with all its
// positions, or one isolated position (LIQ-1, MAR-7); at the mark, or at the index.

import { notionalOf, shareUp } from '../../units/notional.ts';
import type { Money, Ticks, Time } from '../../units/units.ts';
import { type Account, balanceOf } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import { isMarketLive, type Market } from '../market.ts';
import type { Position } from '../position.ts';

/** A cross or unified account (`position` undefined), or one isolated position of an account. */
export type Subject = { readonly account: Account; readonly position: Position | undefined };

export type Standing = { readonly equity: Money; readonly maintenance: Money };

/** What is liquidated together with this position. */
export function subjectOf(exchange: Exchange, position: Position): Subject {
  const account = exchange.accounts[position.account]!;
  return { account, position: account.marginMode === 'isolated' ? position : undefined };
}

/** What of an account is liquidated as one: all of it, or each of its isolated open positions. */
export function subjectsOf(account: Account): Subject[] {
  if (account.marginMode !== 'isolated') return [{ account, position: undefined }];
  return positionsOf({ account, position: undefined }).map((position) => ({ account, position }));
}

/** The open positions of a subject, by market. */
export function positionsOf({ account, position }: Subject): Position[] {
  const all = position === undefined ? account.positions : [position];
  return all.filter((each): each is Position => each !== undefined && each.lots !== 0);
}

/** At the last accepted marks (PRC-4). */
export function standingOf(exchange: Exchange, subject: Subject): Standing {
  return standingAt(exchange, subject, markOf);
}

/** With live markets at their index and the others at their mark (LIQ-1). */
export function standingAtIndex(exchange: Exchange, subject: Subject): Standing {
  return standingAt(exchange, subject, indexWhereLive);
}

const markOf = (market: Market): Ticks => market.prices.mark;

const indexWhereLive = (market: Market, now: Time): Ticks =>
  isMarketLive(market, now) ? market.prices.index : market.prices.mark;

/** Which price of a market counts. */
export type PriceOf = (market: Market, now: Time) => Ticks;

/**
 * Whether a subject is liquidated (LIQ-1): it is below maintenance at the mark, and, unless nothing
 * is left of its equity, at the index too.
 */
export function isFailing({ equity, maintenance }: Standing, atIndex: () => Standing): boolean {
  if (equity >= maintenance) return false;
  if (equity <= 0) return true;
  const there = atIndex();
  return there.equity < there.maintenance;
}

/** At whatever prices: those of the moment stand in the two functions above. */
export function standingAt(
  exchange: Exchange,
  { account, position }: Subject,
  priceOf: PriceOf,
): Standing {
  let equity: number = position === undefined ? balanceOf(account) : position.collateral;
  let maintenance = 0;
  // No list of its own: everybody on a side of a market passes here when it is ranked.
  for (const each of account.positions) {
    if (each === undefined || each.lots === 0) continue;
    if (position !== undefined && each !== position) continue;
    const market = exchange.markets[each.market]!;
    const value = notionalOf(priceOf(market, exchange.time), each.lots, market.grain);
    equity += value - each.entry;
    maintenance += shareUp(Math.abs(value) as Money, market.terms.maintenanceMarginRate);
  }
  return { equity: equity as Money, maintenance: maintenance as Money };
}
