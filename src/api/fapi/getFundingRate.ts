// GET /fapi/v1/fundingRate (conventions, 6.5): settled boundaries, ascending. Positive: longs
// paid.

import { Type } from 'typebox';
import { decimalText, exactObject, symbolText, timeNumber } from '../answerSchema.ts';
import { priceText, rateText } from '../grid.ts';
import { hasFailed } from '../historyPort.ts';
import { answerJson, defineProcedure } from '../operation.ts';
import { marketOf } from '../orderAnswer.ts';
import { optional, symbolParameter } from '../parameterSchema.ts';
import { limitParameter, timeParameters, windowOf } from './windowOf.ts';

const bounds = { normal: 100, most: 1000 };

export const getFundingRate = defineProcedure({
  name: 'getFundingRate',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/fundingRate',
  auth: 'none',
  weight: 5,
  summary: 'Settled funding of one symbol or of all.',
  parameters: Type.Object({
    symbol: optional(symbolParameter()),
    ...timeParameters,
    limit: limitParameter(bounds.normal, bounds.most),
  }),
  failures: ['databaseFailed'],
  response: Type.Array(
    exactObject({
      symbol: symbolText(),
      fundingRate: decimalText(),
      fundingTime: timeNumber(),
      markPrice: decimalText(),
    }),
  ),
  procedure: async ({ deployment }, sent) => {
    const rows = await deployment.settledFunding(windowOf(sent, bounds));
    if (hasFailed(rows)) return rows;
    return answerJson(
      rows.map((row) => {
        const market = marketOf(deployment, row);
        return {
          symbol: market.symbol,
          fundingRate: rateText(row.rate),
          fundingTime: row.boundary,
          markPrice: priceText(row.mark, market),
        };
      }),
    );
  },
});
