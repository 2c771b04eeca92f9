// GET /fapi/v1/leverageBracket (conventions, 15): one bracket for each market; its figures are
// numbers.

import { Type } from 'typebox';
import { marketsOf } from '../../engine/views/exchange.ts';
import type { Market } from '../../engine/views/market.ts';
import { countNumber, exactObject, symbolText } from '../answerSchema.ts';
import { moneyText, rateText } from '../grid.ts';
import { defineQuery } from '../operation.ts';
import { chosenMarkets, optionalSymbol } from './oneOrAll.ts';

export const getLeverageBracket = defineQuery({
  name: 'getLeverageBracket',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/leverageBracket',
  auth: 'key',
  weight: 1,
  summary: 'Maximum leverage and maintenance rate, of one symbol or of all.',
  parameters: optionalSymbol,
  response: Type.Array(
    exactObject({
      symbol: symbolText(),
      brackets: Type.Array(
        exactObject({
          bracket: countNumber(),
          initialLeverage: countNumber(),
          notionalCap: Type.Number(),
          notionalFloor: Type.Number(),
          maintMarginRatio: Type.Number(),
          cum: Type.Number(),
        }),
      ),
    }),
  ),
  query: ({ deployment }, { symbol }) => {
    const markets = chosenMarkets(symbol, marketsOf(deployment.exchange));
    return { status: 200, text: `[${markets.map(bracketText).join(',')}]` };
  },
});

// Written by hand: exact decimals become JSON numbers without passing through a double.
function bracketText({ symbol, terms }: Market): string {
  const cap = moneyText(terms.openInterestCap);
  const rate = rateText(terms.maintenanceMarginRate);
  const bracket =
    `{"bracket":1,"initialLeverage":${terms.maxLeverage},"notionalCap":${cap}` +
    `,"notionalFloor":0,"maintMarginRatio":${rate},"cum":0}`;
  return `{"symbol":"${symbol}","brackets":[${bracket}]}`;
}
