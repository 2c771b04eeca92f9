// The order in which positions are deleveraged (LIQ-4): by PnL % × effective leverage.

import type { Money } from '../../units/units.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Position } from '../position.ts';
import { notionalAtMark, unrealizedOf } from './margin.ts';
import { marginStatusOf, subjectOf } from './marginStatus.ts';

export type Rank = {
  readonly position: Position;
  readonly unrealized: Money;
  readonly notional: Money;
  /** |entry notional|. */
  readonly entry: Money;
  readonly equity: Money;
  /** PnL / |entry notional| × notional / equity, to the precision of a double. */
  readonly estimate: number;
};

export function rankOf(exchange: Exchange, market: Market, position: Position): Rank {
  const unrealized = unrealizedOf(market, position);
  const notional = notionalAtMark(market, position);
  const entry = Math.abs(position.entry) as Money;
  const { equity } = marginStatusOf(exchange, subjectOf(exchange, position));
  const estimate = (unrealized / Math.max(1, entry)) * (notional / Math.max(1, equity));
  return { position, unrealized, notional, entry, equity, estimate };
}

/** Relative error of an estimate, with a reserve. */
const tolerance = 1e-12;

/**
 * Below 0 when `a` goes first: the higher rank, then the larger size, then the lower account
 * number. Accounts without equity go last, by size. Estimates that are too close are compared
 * exactly.
 */
export function compareRanks(a: Rank, b: Rank): number {
  if (a.equity > 0 !== b.equity > 0) return a.equity > 0 ? -1 : 1;
  if (a.equity > 0) {
    const apart = Math.abs(a.estimate - b.estimate);
    const close = apart <= tolerance * Math.max(Math.abs(a.estimate), Math.abs(b.estimate));
    const order = close ? compareExactly(a, b) : b.estimate - a.estimate;
    if (order !== 0) return order;
  }
  const sizes = Math.abs(b.position.lots) - Math.abs(a.position.lots);
  return sizes !== 0 ? sizes : a.position.account - b.position.account;
}

function compareExactly(a: Rank, b: Rank): number {
  const first = numerator(a) * denominator(b);
  const second = numerator(b) * denominator(a);
  return first === second ? 0 : first > second ? -1 : 1;
}

const numerator = ({ unrealized, notional }: Rank): bigint => BigInt(unrealized) * BigInt(notional);

const denominator = ({ entry, equity }: Rank): bigint =>
  BigInt(Math.max(1, entry)) * BigInt(equity);
