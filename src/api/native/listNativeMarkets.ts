// GET /api/v1/markets (NAT-2): the symbol records of exchangeInfo in snake_case.

import { Type } from 'typebox';
import { symbolRecord, symbolSchema } from '../fapi/getExchangeInfo.ts';
import { defineQuery } from '../operation.ts';
import { snakeAnswer, snakeSchema } from './snakeCase.ts';

export const listNativeMarkets = defineQuery({
  name: 'listNativeMarkets',
  surface: 'native',
  method: 'GET',
  path: '/api/v1/markets',
  auth: 'none',
  weight: 1,
  summary: 'The markets of this deployment, in the order of listing.',
  parameters: Type.Object({}),
  response: snakeSchema(Type.Array(symbolSchema)),
  query: ({ deployment: { exchange }, now }) =>
    snakeAnswer(JSON.stringify(exchange.markets.map((market) => symbolRecord(market, now)))),
});
