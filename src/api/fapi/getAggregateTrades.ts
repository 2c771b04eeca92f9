// GET /fapi/v1/aggTrades (conventions, 15): one row for what one order took at one price at one
// time (NAT-2d).

import { Type } from 'typebox';
import { buy } from '../../engine/orderTypes.ts';
import { countNumber, decimalText, exactObject, timeNumber } from '../answerSchema.ts';
import { priceText, quantityText } from '../grid.ts';
import { hasFailed } from '../historyPort.ts';
import { defineProcedure } from '../operation.ts';
import { symbolParameter } from '../parameterSchema.ts';
import { fromIdParameter } from './tradeRows.ts';
import { limitParameter, timeParameters } from './windowOf.ts';

const bounds = { normal: 500, most: 1000 };

export const getAggregateTrades = defineProcedure({
  name: 'getAggregateTrades',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/aggTrades',
  auth: 'none',
  weight: 1,
  summary: 'Trades of a symbol, those of one order at one price as one.',
  parameters: Type.Object({
    symbol: symbolParameter(),
    fromId: fromIdParameter,
    ...timeParameters,
    limit: limitParameter(bounds.normal, bounds.most),
  }),
  failures: ['databaseFailed'],
  response: Type.Array(
    exactObject({
      a: countNumber(),
      p: decimalText(),
      q: decimalText(),
      nq: decimalText(),
      f: countNumber(),
      l: countNumber(),
      T: timeNumber(),
      m: Type.Boolean(),
    }),
  ),
  procedure: async ({ deployment }, { symbol: market, limit = bounds.normal, ...window }) => {
    const rows = await deployment.marketData.aggregateTrades(market, {
      ...window,
      limit: Math.min(limit, bounds.most),
    });
    if (hasFailed(rows)) return rows;
    const texts = rows.map(({ id, ticks, lots, firstId, lastId, time, takerSide }) => {
      const quantity = quantityText(lots, market);
      return (
        `{"a":${id},"p":"${priceText(ticks, market)}","q":"${quantity}","nq":"${quantity}"` +
        `,"f":${firstId},"l":${lastId},"T":${time},"m":${takerSide !== buy}}`
      );
    });
    return { status: 200, text: `[${texts.join(',')}]` };
  },
});
