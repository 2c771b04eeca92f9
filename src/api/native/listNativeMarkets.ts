// GET /api/v1/markets (NAT-2): the symbol records of exchangeInfo in snake_case.

import { Type } from 'typebox';
import { marketsOf } from '../../engine/views/exchange.ts';
import { symbolRecord, symbolSchema } from '../fapi/getExchangeInfo.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { nativeRecord, snakeSchema } from './nativeRecord.ts';
import * as routes from './nativeRoutes.ts';

export const listNativeMarkets = defineQuery({
  ...routes.listNativeMarkets,
  name: 'listNativeMarkets',
  surface: 'native',
  weight: 1,
  summary: 'The markets of this deployment, in the order of listing.',
  parameters: Type.Object({}),
  response: snakeSchema(Type.Array(symbolSchema)),
  query: ({ deployment: { exchange }, now }) =>
    answerJson(marketsOf(exchange).map((market) => nativeRecord(symbolRecord(market, now)))),
});
