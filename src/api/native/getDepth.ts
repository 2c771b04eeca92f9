// GET /api/v1/depth/{symbol} (NAT-2): FAPI's depth under native names.

import { Type } from 'typebox';
import { depthOfMarket } from '../../engine/views/depthOfMarket.ts';
import { countNumber, decimalText, exactObject, symbolText, timeNumber } from '../answerSchema.ts';
import { levelsText } from '../fapi/getOrderBook.ts';
import { defineQuery } from '../operation.ts';
import { marketParameter, numberChoiceParameter, optional } from '../parameterSchema.ts';
import * as routes from './nativeRoutes.ts';

const level = Type.Tuple([decimalText('Price.'), decimalText('Quantity.')]);

export const getDepth = defineQuery({
  ...routes.getDepth,
  name: 'getDepth',
  surface: 'native',
  weight: 1,
  summary: 'Resting quantity by price, best first.',
  parameters: Type.Object({
    symbol: marketParameter(),
    limit: optional(numberChoiceParameter([5, 10, 20, 50, 100, 500, 1000])),
  }),
  failures: ['noData'],
  response: exactObject({
    symbol: symbolText(),
    last_update_id: countNumber(),
    time: timeNumber(),
    bids: Type.Array(level),
    asks: Type.Array(level),
  }),
  query: ({ deployment }, { symbol: market, limit = 500 }) => {
    const { updateId, bids, asks } = depthOfMarket(market, limit);
    if (bids.length === 0 && asks.length === 0) return { reason: 'noData' };
    const text =
      `{"symbol":"${market.symbol}","last_update_id":${updateId}` +
      `,"time":${deployment.exchange.time}` +
      `,"bids":${levelsText(bids, market)},"asks":${levelsText(asks, market)}}`;
    return { status: 200, text };
  },
});
