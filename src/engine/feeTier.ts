// A step of the fee table (MAR-6). Which one an account has stands in clearing/fees.ts.

import type { Money, Rate } from '../units/units.ts';

/**
 * A step of the fee table (MAR-6): from this 14-day volume on, these parts of the fees are waived.
 */
export type FeeTier = {
  readonly minVolume: Money;
  readonly makerDiscount: Rate;
  readonly takerDiscount: Rate;
};
