// GET /fapi/v1/adlQuantile (conventions, 15; LIQ-7): the fifth of its side's ranking in which each
// open position is. One-way positions appear under BOTH.

import { Type } from 'typebox';
import { exactObject, symbolText } from '../answerSchema.ts';
import { answerJson, callerOf, defineProcedure } from '../operation.ts';
import { marketOf } from '../orderAnswer.ts';
import { optionalSymbol } from './oneOrAll.ts';

export const getAdlQuantile = defineProcedure({
  name: 'getAdlQuantile',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/adlQuantile',
  auth: 'key',
  weight: 1,
  summary: 'How near the open positions are to being deleveraged: 4 goes first.',
  parameters: optionalSymbol,
  response: Type.Array(
    exactObject({
      symbol: symbolText(),
      adlQuantile: exactObject({
        LONG: Type.Literal(0),
        SHORT: Type.Literal(0),
        BOTH: Type.Integer({ minimum: 0, maximum: 4 }),
      }),
    }),
  ),
  procedure: async (context, { symbol }) => {
    const { deployment } = context;
    const quantiles = await deployment.archivist.adlQuantiles(callerOf(context).id);
    if ('reason' in quantiles) return quantiles;
    const asked = quantiles.filter(({ market }) => symbol === undefined || market === symbol.id);
    return answerJson(
      asked.map((row) => ({
        symbol: marketOf(deployment, row).symbol,
        adlQuantile: { LONG: 0, SHORT: 0, BOTH: row.quantile },
      })),
    );
  },
});
