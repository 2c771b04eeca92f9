// GET /fapi/v1/trades and /fapi/v1/historicalTrades (conventions, 15): the last trades of a symbol,
// or the trades from a given number on (NAT-2d).

import { Type } from 'typebox';
import { buy } from '../../engine/orderTypes.ts';
import type { Market } from '../../engine/views/market.ts';
import type { Trade, TradeWindow } from '../../market-data/recentTrades.ts';
import { notionalOf } from '../../units/notional.ts';
import { countNumber, decimalText, exactObject, timeNumber } from '../answerSchema.ts';
import type { Context } from '../deployment.ts';
import { moneyText, priceText, quantityText } from '../grid.ts';
import { type HistoryFailure, hasFailed } from '../historyPort.ts';
import { type Answer, defineProcedure } from '../operation.ts';
import { integerParameter, optional, symbolParameter } from '../parameterSchema.ts';
import { limitParameter } from './windowOf.ts';

const recent = { normal: 500, most: 1000 };
const historical = { normal: 100, most: 500 };

// A number that a JSON reader cannot hold exactly is not accepted.
const fromId = { min: 0, max: Number.MAX_SAFE_INTEGER - 1 };
const description = 'This one and what comes after it.';
export const fromIdParameter = optional(integerParameter({ ...fromId, description }));

const response = Type.Array(
  exactObject({
    id: countNumber(),
    price: decimalText(),
    qty: decimalText(),
    quoteQty: decimalText(),
    time: timeNumber(),
    isBuyerMaker: Type.Boolean(),
    isRPITrade: Type.Literal(false),
  }),
);

function tradeText({ id, ticks, lots, time, takerSide }: Trade, market: Market): string {
  return (
    `{"id":${id},"price":"${priceText(ticks, market)}","qty":"${quantityText(lots, market)}"` +
    `,"quoteQty":"${moneyText(notionalOf(ticks, lots, market.grain))}","time":${time}` +
    `,"isBuyerMaker":${takerSide !== buy},"isRPITrade":false}`
  );
}

async function answerOf(
  { deployment }: Context,
  market: Market,
  window: TradeWindow,
): Promise<Answer | HistoryFailure> {
  const rows = await deployment.marketData.trades(market, window);
  if (hasFailed(rows)) return rows;
  return { status: 200, text: `[${rows.map((row) => tradeText(row, market)).join(',')}]` };
}

export const tradeRows = {
  getTrades: defineProcedure({
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
    failures: ['databaseFailed'],
    response,
    procedure: (context, { symbol, limit = recent.normal }) =>
      answerOf(context, symbol, { limit: Math.min(limit, recent.most) }),
  }),
  getHistoricalTrades: defineProcedure({
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
    failures: ['databaseFailed'],
    response,
    procedure: (context, { symbol, fromId, limit = historical.normal }) =>
      answerOf(context, symbol, { fromId, limit: Math.min(limit, historical.most) }),
  }),
} as const;
