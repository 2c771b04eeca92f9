// The highest leverage at a maintenance rate (MAR-10).

import { type Rate, rateOne } from '../units/units.ts';

/** 1 / (2 × rate), rounded down, at least 1. */
export function leverageAt(rate: Rate): number {
  return Math.max(1, Math.floor(rateOne / (2 * rate)));
}
