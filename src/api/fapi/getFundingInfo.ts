// GET /fapi/v1/fundingInfo (spec): always an array; it has one element when a symbol is given.

import { Type } from 'typebox';
import { marketsOf } from '../../engine/views/exchange.ts';
import { countNumber, decimalText, exactObject, symbolText } from '../answerSchema.ts';
import { rateText } from '../grid.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { chosenMarkets, optionalSymbol } from './oneOrAll.ts';

export const getFundingInfo = defineQuery({
  name: 'getFundingInfo',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/fundingInfo',
  auth: 'none',
  weight: 1,
  summary: 'Bounds and interval of the funding rate.',
  parameters: optionalSymbol,
  response: Type.Array(
    exactObject({
      symbol: symbolText(),
      adjustedFundingRateCap: decimalText(),
      adjustedFundingRateFloor: decimalText(),
      fundingIntervalHours: countNumber(),
    }),
  ),
  query: ({ deployment }, { symbol }) => {
    const markets = chosenMarkets(symbol, marketsOf(deployment.exchange));
    return answerJson(
      markets.map((market) => ({
        symbol: market.symbol,
        adjustedFundingRateCap: rateText(market.terms.maxFundingRate),
        adjustedFundingRateFloor: rateText(market.terms.minFundingRate),
        fundingIntervalHours: market.terms.fundingIntervalHours,
      })),
    );
  },
});
