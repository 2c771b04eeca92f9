// GET /api/v1/markets (NAT-2): the symbol records of exchangeInfo in snake_case.

import { Type } from 'typebox';
import { symbolRecord, symbolSchema } from '../fapi/getExchangeInfo.ts';
import { defineQuery } from '../operation.ts';
import * as routes from './nativeRoutes.ts';
import { snakeAnswer, snakeSchema } from './snakeCase.ts';

export const listNativeMarkets = defineQuery({
  ...routes.listNativeMarkets,
  name: 'listNativeMarkets',
  surface: 'native',
  weight: 1,
  summary: 'The markets of this deployment, in the order of listing.',
  parameters: Type.Object({}),
  response: snakeSchema(Type.Array(symbolSchema)),
  query: ({ deployment: { exchange }, now }) =>
    snakeAnswer(JSON.stringify(exchange.markets.map((market) => symbolRecord(market, now)))),
});
