// GET /api/v1/open-interest/{symbol} (NAT-2): of each side, without house accounts (FUND-1).

import { Type } from 'typebox';
import { openInterestOf } from '../../engine/views/openInterestOf.ts';
import { decimalText, exactObject, symbolText, timeNumber } from '../answerSchema.ts';
import { moneyText, quantityText } from '../grid.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { marketParameter } from '../parameterSchema.ts';
import * as routes from './nativeRoutes.ts';

export const getOpenInterest = defineQuery({
  ...routes.getOpenInterest,
  name: 'getOpenInterest',
  surface: 'native',
  weight: 1,
  summary: 'Open interest of a market per side, in base units and USD at the mark, and its caps.',
  parameters: Type.Object({ symbol: marketParameter() }),
  response: exactObject({
    symbol: symbolText(),
    long_oi: decimalText(),
    short_oi: decimalText(),
    long_oi_usd: decimalText(),
    short_oi_usd: decimalText(),
    cap_long_usd: decimalText(),
    cap_short_usd: decimalText(),
    time: timeNumber(),
  }),
  query: ({ now }, { symbol: market }) => {
    const { longLots, shortLots, longNotional, shortNotional } = openInterestOf(market);
    const cap = moneyText(market.terms.openInterestCap);
    return answerJson({
      symbol: market.symbol,
      long_oi: quantityText(longLots, market),
      short_oi: quantityText(shortLots, market),
      long_oi_usd: moneyText(longNotional),
      short_oi_usd: moneyText(shortNotional),
      cap_long_usd: cap,
      cap_short_usd: cap,
      time: now,
    });
  },
});
