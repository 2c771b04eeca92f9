// GET /fapi/v1/symbolConfig (conventions, 15): the account's settings of one symbol or of all.

import { Type } from 'typebox';
import { marketsOf } from '../../engine/views/exchange.ts';
import { leverageOf } from '../../engine/views/leverageOf.ts';
import { positionOf } from '../../engine/views/position.ts';
import { countNumber, decimalText, exactObject, symbolText } from '../answerSchema.ts';
import { moneyText } from '../grid.ts';
import { answerJson, callerOf, defineQuery } from '../operation.ts';
import { chosenMarkets, optionalSymbol } from './oneOrAll.ts';

export const getSymbolConfig = defineQuery({
  name: 'getSymbolConfig',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/symbolConfig',
  auth: 'key',
  weight: 1,
  summary: 'Margin type and leverage setting of one symbol or of all.',
  parameters: optionalSymbol,
  response: Type.Array(
    exactObject({
      symbol: symbolText(),
      marginType: Type.Literal('CROSSED'),
      isAutoAddMargin: Type.Literal(false),
      leverage: countNumber(),
      maxNotionalValue: decimalText(),
    }),
  ),
  query: (context, { symbol }) => {
    const account = callerOf(context);
    const markets = chosenMarkets(symbol, marketsOf(context.deployment.exchange));
    return answerJson(
      markets.map((market) => ({
        symbol: market.symbol,
        marginType: 'CROSSED',
        isAutoAddMargin: false,
        leverage: leverageOf(market, positionOf(account, market.id)),
        maxNotionalValue: moneyText(market.terms.openInterestCap),
      })),
    );
  },
});
