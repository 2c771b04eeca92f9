// GET /fapi/v1/commissionRate (spec): the market's base rates, without the tier's discount.

import { Type } from 'typebox';
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
  response: Type.Object({
    symbol: Type.String(),
    makerCommissionRate: Type.String(),
    takerCommissionRate: Type.String(),
  }),
  query: (_context, { symbol: market }) =>
    answerJson({
      symbol: market.symbol,
      makerCommissionRate: rateText(market.terms.makerFee),
      takerCommissionRate: rateText(market.terms.takerFee),
    }),
});
