// The prices of a trigger as records show them (conventions, 7.1 and 9.1): the mark at which it
// fires now, and the prices that a trailing one follows.

import type { MarketGrid } from '../engine/views/market.ts';
import { presentStop, type Trigger } from '../engine/views/trigger.ts';
import { formatTrimmed } from '../units/decimal.ts';
import { rateDecimals } from '../units/units.ts';
import { priceText } from './grid.ts';

/** The mark that fires it. A trailing trigger has none before its activation: "0". */
export function triggerPriceText(trigger: Readonly<Trigger>, market: MarketGrid): string {
  const ticks = presentStop(trigger);
  return ticks === 0 ? '0' : priceText(ticks, market);
}

/** The mark from which a trailing stop begins to follow the extreme. */
export function activatePriceText(
  { activationTicks }: Readonly<Trigger>,
  market: MarketGrid,
): string {
  return priceText(activationTicks, market);
}

/** A trailing stop's distance, in percent. */
export function callbackText({ callbackRate }: Readonly<Trigger>): string {
  return formatTrimmed(callbackRate, rateDecimals - 2);
}
