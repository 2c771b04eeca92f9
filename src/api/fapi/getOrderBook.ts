// GET /fapi/v1/depth (conventions, 6.2).

import { Type } from 'typebox';
import { depthOfMarket } from '../../engine/views/depthOfMarket.ts';
import type { Market } from '../../engine/views/market.ts';
import type { Lots, Ticks } from '../../units/units.ts';
import { countNumber, decimalText, exactObject, timeNumber } from '../answerSchema.ts';
import { priceText, quantityText } from '../grid.ts';
import { defineQuery } from '../operation.ts';
import { numberChoiceParameter, optional, symbolParameter } from '../parameterSchema.ts';

const level = Type.Tuple([decimalText('Price.'), decimalText('Quantity.')]);

export const getOrderBook = defineQuery({
  name: 'getOrderBook',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/depth',
  auth: 'none',
  weight: 5,
  summary: 'Resting quantity by price, best first.',
  parameters: Type.Object({
    symbol: symbolParameter(),
    limit: optional(numberChoiceParameter([5, 10, 20, 50, 100, 500, 1000])),
  }),
  response: exactObject({
    lastUpdateId: countNumber(),
    E: timeNumber(),
    T: timeNumber(),
    bids: Type.Array(level),
    asks: Type.Array(level),
  }),
  query: ({ deployment, now }, { symbol: market, limit = 500 }) => {
    const { updateId, bids, asks } = depthOfMarket(market, limit);
    const text =
      `{"lastUpdateId":${updateId},"E":${now},"T":${deployment.exchange.time}` +
      `,"bids":${levelsText(bids, market)},"asks":${levelsText(asks, market)}}`;
    return { status: 200, text };
  },
});

/** Levels as `[price, quantity]`, in their order. */
export function levelsText(levels: readonly (readonly [Ticks, Lots])[], market: Market): string {
  const texts = levels.map(
    ([ticks, lots]) => `["${priceText(ticks, market)}","${quantityText(lots, market)}"]`,
  );
  return `[${texts.join(',')}]`;
}
