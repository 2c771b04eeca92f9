// GET /fapi/v1/fundingRate (conventions, 6.5): settled boundaries, ascending; those that the view of
// funding remembers. Positive: longs paid.

import { Type } from 'typebox';
import { priceText, rateText } from '../grid.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { marketOf } from '../orderAnswer.ts';
import { optional, symbolParameter } from '../parameterSchema.ts';
import { limitParameter, timeParameters, windowOf } from './windowOf.ts';

const bounds = { normal: 100, most: 1000 };

export const getFundingRate = defineQuery({
  name: 'getFundingRate',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/fundingRate',
  auth: 'none',
  weight: 5,
  summary: 'Funding as it was settled, of one symbol or of all.',
  parameters: Type.Object({
    symbol: optional(symbolParameter()),
    ...timeParameters,
    limit: limitParameter(bounds.normal, bounds.most),
  }),
  response: Type.Array(
    Type.Object({
      symbol: Type.String(),
      fundingRate: Type.String(),
      fundingTime: Type.Integer(),
      markPrice: Type.String(),
    }),
  ),
  query: ({ deployment }, sent) => {
    const rows = deployment.settledFunding(windowOf(sent, bounds));
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
