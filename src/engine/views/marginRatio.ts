// The margin ratio (LIQ-7): how near an account, or an isolated position, is to its liquidation,
// which begins above 1.

import { mulDivCeil } from '../../units/mulDiv.ts';
import { type Money, type Rate, rateOne } from '../../units/units.ts';

/** The ratio shown when equity is at most a hundredth of maintenance, or zero or less. */
export const marginRatioMax = (100 * rateOne) as Rate;

/**
 * maintenance / equity, rounded up, at most 100; 0 without maintenance. Equity of zero or less has
 * no ratio and shows the maximum.
 */
export function marginRatio(maintenance: Money, equity: Money): Rate {
  if (maintenance === 0) return 0 as Rate;
  if (Math.floor(maintenance / 100) >= equity) return marginRatioMax;
  return mulDivCeil(maintenance, rateOne, equity) as Rate;
}
