// Maintenance margin: the equity that a position needs. Only this file computes its amount, its
// change with the mark, and the lots and the mark at which it is met. Each function takes the
// position and not only its size, so that the requirement of a lot may differ between positions.
// Nothing outside relies on the amount growing in proportion to price or size.

import { notionalOf, shareUp } from '../../units/notional.ts';
import { type Lots, type Money, type Rate, rateOne, type Ticks } from '../../units/units.ts';
import type { Bracket } from '../bracket.ts';
import type { Market } from '../market.ts';
import type { Position } from '../position.ts';

/** The part of a market's terms for it. */
export type MaintenanceTerms = {
  readonly maintenanceMarginRate: Rate;
  /**
   * Rising bounds, the last at or above the open interest cap, with rates that do not fall; the
   * first rate is the maintenance rate.
   */
  readonly brackets: readonly Bracket[];
};

/** The maintenance margin of a position at a price. */
export function maintenanceAt(market: Market, position: Position, ticks: Ticks): Money {
  return amountOf(market, position.lots, ticks);
}

/** The maintenance margin of a position at the mark. */
export function maintenanceMargin(market: Market, position: Position): Money {
  return amountOf(market, position.lots, market.prices.mark);
}

/**
 * The maintenance margin of a position at the mark after its signed lots have changed by `change`.
 */
export function maintenanceAfter(market: Market, position: Position, change: Lots): Money {
  return amountOf(market, (position.lots + change) as Lots, market.prices.mark);
}

/** |lots| × price × maintenance rate, rounded up (MAR-8). */
function amountOf({ grain, terms }: Market, lots: Lots, ticks: Ticks): Money {
  if (lots === 0) return 0 as Money;
  const notional = notionalOf(ticks, Math.abs(lots) as Lots, grain);
  return shareUp(notional, terms.maintenanceMarginRate);
}

/**
 * The largest loss per tick of an open position's equity above its maintenance, at any mark: size ×
 * grain × (1 − rate) for a long, whose maintenance falls with the mark, and × (1 + rate) for a
 * short. In floating point, for keys that must only be early.
 */
export function lossPerTickMax({ grain, terms }: Market, { lots }: Position): number {
  const rate = terms.maintenanceMarginRate / rateOne;
  return lots > 0 ? lots * grain * (1 - rate) : -lots * grain * (1 + rate);
}

/** What a close must make up for, in tenths of a unit, and how many tenths of maintenance count. */
export type Missing = { readonly amount: bigint; readonly tenths: number };

/**
 * The fewest lots of a position whose close at the mark, with the liquidation fee, makes up for the
 * missing amount, at most all:
 *   ceil(amount / ((tenths × maintenance rate − 10 × fee rate) × mark))
 */
export function lotsToFree(market: Market, position: Position, missing: Missing): Lots {
  const { maintenanceMarginRate, liquidationFeeRate } = market.terms;
  const freed = BigInt(missing.tenths * maintenanceMarginRate - 10 * liquidationFeeRate);
  const perLot = freed * BigInt(market.prices.mark) * BigInt(market.grain);
  const lots = (missing.amount * BigInt(rateOne) + perLot - 1n) / perLot;
  return Math.min(Math.abs(position.lots), Number(lots)) as Lots;
}

/**
 * The mark at which an open position's maintenance equals the equity left for it, to a tick against
 * the account; 0 if none. With `left` at the present mark m for it, size q, grain g, rate r:
 *   long: (q g m − left) / (q g (1 − r)), rounded up;
 *   short: (q g m + left) / (q g (1 + r)), rounded down.
 */
export function ticksAtMaintenance(market: Market, { lots }: Position, left: bigint): Ticks {
  const long = lots > 0;
  const size = BigInt(Math.abs(lots)) * BigInt(market.grain);
  const value = size * BigInt(market.prices.mark);
  const one = BigInt(rateOne);
  const rate = BigInt(market.terms.maintenanceMarginRate);
  const numerator = (long ? value - left : value + left) * one;
  const denominator = size * (long ? one - rate : one + rate);
  if (numerator <= 0n) return 0 as Ticks;
  const floor = numerator / denominator;
  const ticks = long && numerator % denominator > 0n ? floor + 1n : floor;
  return (ticks > BigInt(Number.MAX_SAFE_INTEGER) ? 0 : Number(ticks)) as Ticks;
}
