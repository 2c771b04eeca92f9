// GET /fapi/v1/trades and /fapi/v1/historicalTrades (conventions, 15): the last trades of a symbol,
// or those from a number on, as far back as they are remembered (NAT-2d).

import { Type } from 'typebox';
import type { Market } from '../../engine/market.ts';
import { buy } from '../../engine/order.ts';
import { notionalOf } from '../../units/notional.ts';
import { moneyText, priceText, quantityText } from '../grid.ts';
import type { TradeRow } from '../marketDataPort.ts';
import { defineQuery } from '../operation.ts';
import { integerParameter, optional, symbolParameter } from '../parameterSchema.ts';
import { limitParameter } from './windowOf.ts';

const recent = { normal: 500, most: 1000 };
const historical = { normal: 100, most: 500 };

// A whole number that a JSON reader cannot hold exactly is none.
const fromId = { min: 0, max: Number.MAX_SAFE_INTEGER - 1 };
const description = 'This one and what comes after it.';
export const fromIdParameter = optional(integerParameter({ ...fromId, description }));

const response = Type.Array(
  Type.Object({
    id: Type.Integer(),
    price: Type.String(),
    qty: Type.String(),
    quoteQty: Type.String(),
    time: Type.Integer(),
    isBuyerMaker: Type.Boolean(),
    isRPITrade: Type.Literal(false),
  }),
);

function tradeText({ id, ticks, lots, time, takerSide }: TradeRow, market: Market): string {
  return (
    `{"id":${id},"price":"${priceText(ticks, market)}","qty":"${quantityText(lots, market)}"` +
    `,"quoteQty":"${moneyText(notionalOf(ticks, lots, market.grain))}","time":${time}` +
    `,"isBuyerMaker":${takerSide !== buy},"isRPITrade":false}`
  );
}

const listText = (rows: readonly TradeRow[], market: Market): string =>
  `[${rows.map((row) => tradeText(row, market)).join(',')}]`;

export const tradeRows = {
  getTrades: defineQuery({
    name: 'getTrades',
    surface: 'fapi',
    method: 'GET',
    path: '/fapi/v1/trades',
    auth: 'none',
    weight: 1,
    summary: 'The last trades of a symbol.',
    parameters: Type.Object({
      symbol: symbolParameter(),
      limit: limitParameter(recent.normal, recent.most),
    }),
    response,
    query: ({ deployment }, { symbol, limit = recent.normal }) => {
      const window = { limit: Math.min(limit, recent.most) };
      return { status: 200, text: listText(deployment.marketData.trades(symbol, window), symbol) };
    },
  }),
  getHistoricalTrades: defineQuery({
    name: 'getHistoricalTrades',
    surface: 'fapi',
    method: 'GET',
    path: '/fapi/v1/historicalTrades',
    auth: 'keyOnly',
    weight: 1,
    summary: 'Trades of a symbol from a number on, else the last.',
    parameters: Type.Object({
      symbol: symbolParameter(),
      fromId: fromIdParameter,
      limit: limitParameter(historical.normal, historical.most),
    }),
    response,
    query: ({ deployment }, { symbol, fromId, limit = historical.normal }) => {
      const window = { fromId, limit: Math.min(limit, historical.most) };
      return { status: 200, text: listText(deployment.marketData.trades(symbol, window), symbol) };
    },
  }),
} as const;
