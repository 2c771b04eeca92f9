// GET /fapi/v1/ticker/24hr (conventions, 6.3): what was traded in the 24 hours that end now. It has
// no bid and no ask, because with them a client would take it for a ticker of another kind.

import { Type } from 'typebox';
import { marketsOf } from '../../engine/views/exchange.ts';
import type { DayTicker } from '../../market-data/dayTickerOf.ts';
import { countNumber, decimalText, exactObject, symbolText, timeNumber } from '../answerSchema.ts';
import { defineQuery } from '../operation.ts';
import { oneOrAll, oneOrAllSchema, optionalSymbol } from './oneOrAll.ts';

const dayDecimals = [
  'priceChange',
  'priceChangePercent',
  'weightedAvgPrice',
  'lastPrice',
  'lastQty',
  'openPrice',
  'highPrice',
  'lowPrice',
  'volume',
  'quoteVolume',
] as const satisfies readonly (keyof DayTicker)[];

const tradeId = Type.Integer({ minimum: -1, description: '-1 when nothing was traded.' });

const row = exactObject({
  symbol: symbolText(),
  ...(Object.fromEntries(dayDecimals.map((name) => [name, decimalText()])) as Record<
    (typeof dayDecimals)[number],
    ReturnType<typeof decimalText>
  >),
  openTime: timeNumber(),
  closeTime: timeNumber(),
  firstId: tradeId,
  lastId: tradeId,
  count: countNumber(),
});

export const getDayTicker = defineQuery({
  name: 'getDayTicker',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/ticker/24hr',
  auth: 'none',
  weight: 5,
  summary: 'Trading figures of the last 24 hours, of one symbol or of all.',
  parameters: optionalSymbol,
  response: oneOrAllSchema(row),
  query: ({ deployment }, { symbol }) =>
    oneOrAll(symbol, marketsOf(deployment.exchange), deployment.marketData.dayTicker),
});
