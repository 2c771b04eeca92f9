// The first members of a position of an account (conventions, 15), which account v2 and v3 share.

import { Type } from 'typebox';
import type { Market } from '../../engine/views/market.ts';
import type { PositionFigures } from '../../engine/views/positionFigures.ts';
import { decimalText, symbolText } from '../answerSchema.ts';
import { moneyText, quantityText } from '../grid.ts';
import { initialMarginSchema, initialMarginText, lockedSchemas } from './positionMargins.ts';

export const accountPositionSchemas = {
  symbol: symbolText(),
  positionSide: Type.Literal('BOTH'),
  positionAmt: decimalText(),
  unrealizedProfit: decimalText(),
  isolated: Type.Literal(false),
  isolatedMargin: lockedSchemas.isolatedMargin,
  notional: decimalText(),
  isolatedWallet: lockedSchemas.isolatedWallet,
  initialMargin: initialMarginSchema,
};

type Shown = Pick<
  PositionFigures,
  'lots' | 'unrealized' | 'notional' | 'collateral' | 'requiredMargin' | 'orderMargin'
>;

export function accountPosition(market: Market, figures: Shown) {
  const collateral = moneyText(figures.collateral);
  return {
    symbol: market.symbol,
    positionSide: 'BOTH',
    positionAmt: quantityText(figures.lots, market),
    unrealizedProfit: moneyText(figures.unrealized),
    // The convention's row of v3 does not have this member. Without it one stock client treats
    // collateral as isolated.
    isolated: false,
    isolatedMargin: collateral,
    notional: moneyText(figures.notional),
    isolatedWallet: collateral,
    initialMargin: initialMarginText(figures),
  };
}
