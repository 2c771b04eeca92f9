// The prices of the take-profit and the stop-loss in the ticket, and what they would bring. A leg
// that was typed in percent has its distance from the price of the order, so that one ticket serves
// both sides.

import { type Market, notionalOf } from '../state/market.ts';
import type { Side } from '../state/orderWish.ts';
import type { Draft } from './draft.ts';
import { type DraftReading, stepsOfTyped } from './readDraft.ts';

export type LegName = 'takeProfit' | 'stopLoss';

/** Hundredths of a percent. */
const whole = 10_000n;

/** The side of orders for which the leg lies above their price. */
const sideAbove = { takeProfit: 'BUY', stopLoss: 'SELL' } as const;

/** ticks × (1 ± percent), to the nearest tick; undefined while that is not known. */
export function legTicks(
  leg: LegName,
  side: Side,
  { legsAs }: Pick<Draft, 'legsAs'>,
  { typed, ticks }: DraftReading,
): bigint | undefined {
  const steps = stepsOfTyped(typed[leg]);
  if (steps === undefined || legsAs === 'price') return steps;
  if (ticks === undefined) return undefined;
  const distance = (ticks * steps + whole / 2n) / whole;
  return sideAbove[leg] === side ? ticks + distance : ticks - distance;
}

export type ExpectedLeg = {
  /** The side of the order that the leg fits. */
  readonly side: Side;
  /** From the price of the order to that of the leg, in hundredths of a percent, signed. */
  readonly distance: bigint;
  /** 1e-6 USDT before fees; undefined while the size is not known. */
  readonly profit: bigint | undefined;
  /** Hundredths of a percent of the margin of the order. */
  readonly returned: bigint;
};

/**
 * distance = exit / entry - 1, profit = lots × (exit - entry), and the return is the distance ×
 * leverage: the margin of the order is its value / leverage.
 */
export function expectedLeg(
  leg: LegName,
  draft: Pick<Draft, 'legsAs'>,
  reading: DraftReading,
  { market, leverage }: { readonly market: Market; readonly leverage: number },
): ExpectedLeg | undefined {
  const { parts, typed, ticks: entry, lots } = reading;
  const above = sideAbove[leg];
  const trigger = legTicks(leg, above, draft, reading);
  if (trigger === undefined || entry === undefined || entry === 0n) return undefined;
  const limit = parts.legPrices ? stepsOfTyped(typed[`${leg}Price`]) : undefined;
  const away = (limit ?? trigger) - entry;
  const side = trigger >= entry ? above : above === 'BUY' ? 'SELL' : 'BUY';
  const gain = side === 'BUY' ? away : -away;
  const distance = (away * whole) / entry;
  return {
    side,
    distance,
    profit: lots === undefined ? undefined : notionalOf(market, gain, lots),
    returned: (gain * whole * BigInt(leverage)) / entry,
  };
}
