// Maintenance margin: the equity that a position needs. Only this file computes its amount, its
// change with the mark, and the lots and the mark at which it is met. A position keeps the
// surcharges of its lots (MAR-10); openingSurcharge.ts says what they are when lots open.

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

// Nearly every position has no surcharge. Whether a bigint is 0 is asked by its truth, because that
// needs no call, unlike a comparison or a sum.

const one = BigInt(rateOne);

/** The maintenance margin of a position at a price. */
export function maintenanceAt(market: Market, position: Position, ticks: Ticks): Money {
  return amountOf(market, position.lots, position.surcharge, ticks);
}

/** The maintenance margin of a position at the mark. */
export function maintenanceMargin(market: Market, position: Position): Money {
  return amountOf(market, position.lots, position.surcharge, market.prices.mark);
}

/**
 * The maintenance margin of a position at the mark after its signed lots have changed by `change`;
 * `opened` is the surcharge of the part that opens.
 */
export function maintenanceAfter(
  market: Market,
  position: Position,
  change: Lots,
  opened = 0n,
): Money {
  const { lots } = position;
  const closing = lots * change < 0 ? Math.min(Math.abs(change), Math.abs(lots)) : 0;
  const kept = surchargeLeft(position, closing as Lots);
  const surcharge = opened ? kept + opened : kept;
  return amountOf(market, (lots + change) as Lots, surcharge, market.prices.mark);
}

/**
 * The surcharge of a position after `closing` of its lots have closed: the closed part takes its
 * share with it, rounded down, so that the account never gains by the rounding. Nothing is left of
 * a position that is closed whole (MAR-10).
 */
export function surchargeLeft({ lots, surcharge }: Position, closing: Lots): bigint {
  if (!surcharge || closing === 0) return surcharge;
  const size = BigInt(Math.abs(lots));
  return surcharge - (surcharge * BigInt(closing)) / size;
}

/**
 * (|lots| × maintenance rate + surcharge) × price, rounded up; the rate of a position stays below
 * 100 % (MAR-8, MAR-10).
 */
function amountOf({ grain, terms }: Market, lots: Lots, surcharge: bigint, ticks: Ticks): Money {
  if (lots === 0) return 0 as Money;
  if (!surcharge) {
    const notional = notionalOf(ticks, Math.abs(lots) as Lots, grain);
    return shareUp(notional, terms.maintenanceMarginRate);
  }
  const weight = weightOf(terms, { lots, surcharge });
  const amount = weight * BigInt(ticks) * BigInt(grain);
  return Number((amount + one - 1n) / one) as Money;
}

type Weighed = Pick<Position, 'lots' | 'surcharge'>;

/** Lots × own maintenance rate, in 1e-8 lots. */
function weightOf({ maintenanceMarginRate }: MaintenanceTerms, position: Weighed): bigint {
  const size = BigInt(Math.abs(position.lots));
  const weight = size * BigInt(maintenanceMarginRate) + position.surcharge;
  const most = size * (one - 1n);
  return weight < most ? weight : most;
}

/**
 * The own maintenance rate of an open position, rounded up; of a flat one the market's (MAR-10).
 */
export function maintenanceRateOf({ terms }: Market, position: Position): Rate {
  if (!position.surcharge) return terms.maintenanceMarginRate;
  const size = BigInt(Math.abs(position.lots));
  return Number((weightOf(terms, position) + size - 1n) / size) as Rate;
}

/**
 * The largest loss per tick of an open position's equity above its maintenance, at any mark: size ×
 * grain × (1 − own rate) for a long, whose maintenance falls with the mark, and × (1 + own rate)
 * for a short. In floating point, for keys that must only be early.
 */
export function lossPerTickMax({ grain, terms }: Market, position: Position): number {
  const { lots, surcharge } = position;
  const rate = !surcharge
    ? terms.maintenanceMarginRate / rateOne
    : Number(weightOf(terms, position)) / Math.abs(lots) / rateOne;
  return lots > 0 ? lots * grain * (1 - rate) : -lots * grain * (1 + rate);
}

/** What a close must make up for. */
export type Missing = {
  /** In tenths of a unit, and how many tenths of maintenance count. */
  readonly amount: bigint;
  readonly tenths: number;
  /** What the close costs of the notional. */
  readonly cost: Rate;
};

/**
 * The fewest lots of a position whose close at the mark, with what it costs, makes up for the
 * missing amount, at most all:
 *   ceil(amount / ((tenths × own maintenance rate − 10 × cost) × mark))
 */
export function lotsToFree(market: Market, position: Position, missing: Missing): Lots {
  const { grain, prices, terms } = market;
  const size = BigInt(Math.abs(position.lots));
  const weight = weightOf(terms, position);
  const freed = BigInt(missing.tenths) * weight - 10n * BigInt(missing.cost) * size;
  const perSize = freed * BigInt(prices.mark) * BigInt(grain);
  const lots = (missing.amount * one * size + perSize - 1n) / perSize;
  return (lots < size ? Number(lots) : Math.abs(position.lots)) as Lots;
}

/**
 * The mark at which an open position's maintenance equals the equity left for it, to a tick against
 * the account; 0 if none. With `left` at the present mark m for it, size q, grain g, own rate r:
 *   long: (q g m − left) / (q g (1 − r)), rounded up;
 *   short: (q g m + left) / (q g (1 + r)), rounded down.
 */
export function ticksAtMaintenance(market: Market, position: Position, left: bigint): Ticks {
  const long = position.lots > 0;
  const size = BigInt(Math.abs(position.lots));
  const grain = BigInt(market.grain);
  const value = size * grain * BigInt(market.prices.mark);
  const weight = weightOf(market.terms, position);
  const numerator = (long ? value - left : value + left) * one;
  const denominator = grain * (long ? size * one - weight : size * one + weight);
  if (numerator <= 0n) return 0 as Ticks;
  const floor = numerator / denominator;
  const ticks = long && numerator % denominator > 0n ? floor + 1n : floor;
  return (ticks > BigInt(Number.MAX_SAFE_INTEGER) ? 0 : Number(ticks)) as Ticks;
}
