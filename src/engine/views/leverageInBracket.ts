// The highest leverage of what opens in a bracket (MAR-10).

import type { Rate } from '../../units/units.ts';
import { bracketLeverage } from '../clearing/openingSurcharge.ts';
import type { MarketTerms } from '../marketTerms.ts';

type Table = Pick<MarketTerms, 'brackets' | 'maxLeverage'>;

/** The maximum of the market at the first rate of the table, else at most 1 / (2 × rate). */
export function leverageInBracket(table: Table, rate: Rate): number {
  return bracketLeverage(table, rate);
}
