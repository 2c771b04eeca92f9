// GET /fapi/v1/openInterest (spec): the sum of the long and the short side, in base units.

import { Type } from 'typebox';
import { openInterestOf } from '../../engine/views/openInterestOf.ts';
import type { Lots } from '../../units/units.ts';
import { decimalText, exactObject, symbolText, timeNumber } from '../answerSchema.ts';
import { quantityText } from '../grid.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { symbolParameter } from '../parameterSchema.ts';

export const getTotalOpenInterest = defineQuery({
  name: 'getTotalOpenInterest',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/openInterest',
  auth: 'none',
  weight: 1,
  summary: 'Open interest of a symbol, long and short together.',
  parameters: Type.Object({ symbol: symbolParameter() }),
  response: exactObject({
    symbol: symbolText(),
    openInterest: decimalText(),
    time: timeNumber(),
  }),
  query: ({ now }, { symbol: market }) => {
    const { longLots, shortLots } = openInterestOf(market);
    const openInterest = quantityText((longLots + shortLots) as Lots, market);
    return answerJson({ symbol: market.symbol, openInterest, time: now });
  },
});
