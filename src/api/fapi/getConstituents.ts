// GET /fapi/v1/constituents (conventions, 15): the sources of a market's index, their weights and
// the last price of each.

import { Type } from 'typebox';
import type { Market } from '../../engine/views/market.ts';
import { formatQuotient } from '../../units/decimal.ts';
import { rateDecimals } from '../../units/units.ts';
import { decimalText, exactObject, plainText, symbolText, timeNumber } from '../answerSchema.ts';
import { priceText } from '../grid.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { symbolParameter } from '../parameterSchema.ts';

export const getConstituents = defineQuery({
  name: 'getConstituents',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/constituents',
  auth: 'none',
  weight: 1,
  summary: "The sources of a symbol's index.",
  parameters: Type.Object({ symbol: symbolParameter() }),
  response: exactObject({
    symbol: symbolText(),
    time: timeNumber(),
    constituents: Type.Array(
      exactObject({
        exchange: plainText('The source.'),
        symbol: symbolText(),
        price: decimalText(),
        weight: decimalText(),
      }),
    ),
  }),
  query: ({ now }, { symbol: market }) =>
    answerJson({ symbol: market.symbol, time: now, constituents: constituentsOf(market) }),
});

/** A source that has not stated a price yet shows "0". */
function constituentsOf(market: Market): object[] {
  const { symbol, terms, prices } = market;
  const total = terms.indexSources.reduce((sum, { weight }) => sum + weight, 0);
  return terms.indexSources.map(({ source, weight }) => {
    const last = prices.sources.find((each) => each.source === source);
    return {
      exchange: source,
      symbol,
      price: last === undefined ? '0' : priceText(last.ticks, market),
      weight: formatQuotient(BigInt(weight), BigInt(total), rateDecimals),
    };
  });
}
