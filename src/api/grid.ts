// Converts between decimals of the wire and the whole ticks and lots of a market (UNIT-4, UNIT-5).
// Prices off the grid are refused, and quantities are floored. The engine decides what is too
// small.

import { lotsMax, ticksMax } from '../engine/limits.ts';
import type { MarketGrid } from '../engine/views/market.ts';
import { formatSteps, formatTrimmed, parseScaled, type Scaled } from '../units/decimal.ts';
import {
  type Lots,
  type Money,
  moneyDecimals,
  type Rate,
  rateDecimals,
  type Ticks,
} from '../units/units.ts';
import type { Refusal } from './refusal.ts';

/** The reasons for which the readers of this file can refuse a price or a quantity. */
export const gridFailures = [
  'parameterIllegal',
  'priceInvalid',
  'quantityInvalid',
  'priceOffTick',
] as const;

const powers = [1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12];

/** This number of digits stays exact in a double and leaves room for scaling. */
const fastDigitsMax = 12;

/**
 * Short plain decimals without sign: nearly all decimals are of this kind. They need no bigint: the
 * digits as a number, and the place of the point. parseScaled reads everything else.
 */
function readScaled(text: string, decimals: number, step: number): Scaled {
  if (text.length > fastDigitsMax || text.length === 0) return parseScaled(text, decimals, step);
  let digits = 0;
  let point = -1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) digits = digits * 10 + (code - 48);
    else if (code === 46 && point < 0 && at > 0) point = at;
    else return parseScaled(text, decimals, step);
  }
  const scale = point < 0 ? 0 : text.length - 1 - point;
  const shift = decimals - scale;
  if (shift < 0) return parseScaled(text, decimals, step);
  const scaled = digits * (powers[shift] ?? Number.POSITIVE_INFINITY);
  if (scaled > Number.MAX_SAFE_INTEGER) return parseScaled(text, decimals, step);
  const rest = scaled % step;
  return { kind: rest === 0 ? 'exact' : 'inexact', value: (scaled - rest) / step };
}

function isNegative(text: string): boolean {
  return text.startsWith('-');
}

/** A price above zero, in whole ticks. -1100 when it is malformed, off the grid or out of range. */
export function readTicks(text: string, market: MarketGrid, name = 'price'): Ticks | Refusal {
  const scaled = readScaled(text, market.tick.decimals, market.tick.step);
  if (scaled.kind === 'malformed') return { reason: 'parameterIllegal', name };
  if (scaled.kind === 'outOfRange' || isNegative(text)) return { reason: 'priceInvalid', name };
  if (scaled.kind === 'inexact') return { reason: 'priceOffTick', name };
  if (scaled.value <= 0 || scaled.value > ticksMax) return { reason: 'priceInvalid', name };
  return scaled.value as Ticks;
}

/**
 * A quantity floored to whole lots. It is 0 below one lot (the engine answers -1013). -1100 when it
 * is malformed, negative or beyond every market's range.
 */
export function readLots(text: string, market: MarketGrid, name = 'quantity'): Lots | Refusal {
  const scaled = readScaled(text, market.lot.decimals, market.lot.step);
  if (scaled.kind === 'malformed') return { reason: 'parameterIllegal', name };
  if (scaled.kind === 'outOfRange' || isNegative(text)) return { reason: 'quantityInvalid', name };
  if (scaled.value > lotsMax) return { reason: 'quantityInvalid', name };
  return scaled.value as Lots;
}

/** USDT of at least zero, floored to 1e-6; -1100 when malformed, negative or out of range. */
export function readMoney(text: string, name: string): Money | Refusal {
  const scaled = readScaled(text, moneyDecimals, 1);
  if (scaled.kind === 'malformed') return { reason: 'parameterIllegal', name };
  if (scaled.kind === 'outOfRange' || isNegative(text)) return { reason: 'quantityInvalid', name };
  return scaled.value as Money;
}

/** Whether a reader of this file refused the text. */
export function isRefused(read: number | Refusal): read is Refusal {
  return typeof read !== 'number';
}

/** A price at the market's `pricePrecision`. */
export function priceText(ticks: Ticks, market: MarketGrid): string {
  return formatSteps(ticks, market.tick);
}

/**
 * A quantity or a sum of quantities at the market's `quantityPrecision`; a position keeps its sign.
 */
export function quantityText(lots: Lots | bigint, market: MarketGrid): string {
  return formatSteps(lots, market.lot);
}

/** Money or a sum of money, without trailing zeros. */
export function moneyText(money: Money | bigint): string {
  // A shortcut, because many amounts of a record are zero.
  if (money === 0) return '0';
  return formatTrimmed(money, moneyDecimals);
}

/** A rate or fraction, without trailing zeros. */
export function rateText(rate: Rate): string {
  return formatTrimmed(rate, rateDecimals);
}
