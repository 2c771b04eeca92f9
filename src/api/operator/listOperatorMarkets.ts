// GET /operator/markets: every market's record, in the order of listing.

import { Type } from 'typebox';
import { marketsOf } from '../../engine/views/exchange.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { marketRecord, marketRecordSchema } from './marketRecord.ts';

export const listOperatorMarkets = defineQuery({
  name: 'listOperatorMarkets',
  surface: 'operator',
  method: 'GET',
  path: '/operator/markets',
  auth: 'operator',
  weight: 1,
  summary: 'All markets with their terms, status and prices.',
  parameters: Type.Object({}),
  response: Type.Array(marketRecordSchema),
  query: ({ deployment: { exchange }, now }) =>
    answerJson(marketsOf(exchange).map((market) => marketRecord(market, now))),
});
