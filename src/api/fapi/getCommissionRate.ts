// GET /fapi/v1/commissionRate (spec): the market's base rates, without the tier's discount.

import { Type } from 'typebox';
import { decimalText, exactObject, symbolText } from '../answerSchema.ts';
import { rateText } from '../grid.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { symbolParameter } from '../parameterSchema.ts';

export const getCommissionRate = defineQuery({
  name: 'getCommissionRate',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/commissionRate',
  auth: 'key',
  weight: 20,
  summary: 'The base fee rates of a symbol.',
  parameters: Type.Object({ symbol: symbolParameter() }),
  response: exactObject({
    symbol: symbolText(),
    makerCommissionRate: decimalText(),
    takerCommissionRate: decimalText(),
  }),
  query: (_context, { symbol: market }) =>
    answerJson({
      symbol: market.symbol,
      makerCommissionRate: rateText(market.terms.makerFee),
      takerCommissionRate: rateText(market.terms.takerFee),
    }),
});
