// The margin members of a position row, the same in account v2 and v3 and in positionRisk, and
// their meaning: what is locked, and what the present leverage requires (MAR-5).

import type { PositionFigures } from '../../engine/views/positionFigures.ts';
import type { Money } from '../../units/units.ts';
import { decimalText, wholeText } from '../answerSchema.ts';
import { moneyText } from '../grid.ts';

export const leverageSchema = wholeText('The setting; what is open keeps the margin it took.');
export const initialMarginSchema = decimalText(
  'What the setting asks for: |notional| / leverage, rounded up, and openOrderInitialMargin.',
);

export const positionMarginSchemas = {
  positionInitialMargin: decimalText('Locked by the position, whatever the leverage is now.'),
  openOrderInitialMargin: decimalText('Locked by its open orders.'),
};

export const lockedSchemas = {
  isolatedMargin: decimalText('The locked collateral of the position, in every margin mode.'),
  isolatedWallet: decimalText('The same as isolatedMargin.'),
};

/** initialMargin = |notional at the mark| / leverage, rounded up, + margin of open orders */
export function initialMarginText(
  figures: Pick<PositionFigures, 'requiredMargin' | 'orderMargin'>,
): string {
  return moneyText((figures.requiredMargin + figures.orderMargin) as Money);
}
