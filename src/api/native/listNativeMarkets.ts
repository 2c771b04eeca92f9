// GET /api/v1/markets (NAT-2): the symbol records of exchangeInfo in snake_case, with the terms of
// each market.

import { Type } from 'typebox';
import { marketsOf } from '../../engine/views/exchange.ts';
import { restrictionOf } from '../../engine/views/market.ts';
import { symbolRecord, symbolSchema } from '../fapi/getExchangeInfo.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { restrictionMember } from '../restrictionMember.ts';
import { termsMembers, termsRecord } from '../termsRecord.ts';
import { nativeRecord, snakeSchemaWith } from './nativeRecord.ts';
import * as routes from './nativeRoutes.ts';

export const listNativeMarkets = defineQuery({
  ...routes.listNativeMarkets,
  name: 'listNativeMarkets',
  surface: 'native',
  weight: 1,
  summary: 'The markets of this deployment with their terms, in the order of listing.',
  parameters: Type.Object({}),
  response: Type.Array(
    snakeSchemaWith(symbolSchema, Type.Object({ ...termsMembers, ...restrictionMember })),
  ),
  query: ({ deployment: { exchange }, now }) =>
    answerJson(
      marketsOf(exchange).map((market) => ({
        ...nativeRecord(symbolRecord(market, now)),
        ...termsRecord(market.terms),
        restriction: restrictionOf(market, now),
      })),
    ),
});
