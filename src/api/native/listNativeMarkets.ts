// GET /api/v1/markets (NAT-2): the symbol records of exchangeInfo in snake_case, with the terms of
// each market.

import { Type } from 'typebox';
import { marketsOf } from '../../engine/views/exchange.ts';
import { leverageInBracket } from '../../engine/views/leverageInBracket.ts';
import { restrictionOf } from '../../engine/views/market.ts';
import type { Lots, Ticks } from '../../units/units.ts';
import { countNumber, decimalText, exactObject } from '../answerSchema.ts';
import { symbolRecord, symbolSchema } from '../fapi/getExchangeInfo.ts';
import { priceText, quantityText } from '../grid.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { restrictionMember } from '../restrictionMember.ts';
import { bracketRecord, bracketSchema, termsMembers, termsRecord } from '../termsRecord.ts';
import { nativeRecord, snakeSchemaWith } from './nativeRecord.ts';
import * as routes from './nativeRoutes.ts';

const nativeBracketSchema = exactObject({
  ...bracketSchema.properties,
  max_leverage: countNumber('Of what opens in it.'),
});

const moreSchema = Type.Object({
  tick_size: decimalText(),
  lot_size: decimalText(),
  ...termsMembers,
  brackets: Type.Array(nativeBracketSchema),
  ...restrictionMember,
});

export const listNativeMarkets = defineQuery({
  ...routes.listNativeMarkets,
  name: 'listNativeMarkets',
  surface: 'native',
  weight: 1,
  summary: 'The markets of this deployment with their terms, in the order of listing.',
  parameters: Type.Object({}),
  response: Type.Array(snakeSchemaWith(symbolSchema, moreSchema)),
  query: ({ deployment: { exchange }, now }) =>
    answerJson(
      marketsOf(exchange).map((market) => ({
        ...nativeRecord(symbolRecord(market, now)),
        tick_size: priceText(1 as Ticks, market),
        lot_size: quantityText(1 as Lots, market),
        ...termsRecord(market.terms),
        brackets: market.terms.brackets.map((bracket) => ({
          ...bracketRecord(bracket),
          max_leverage: leverageInBracket(market.terms, bracket.rate),
        })),
        restriction: restrictionOf(market, now),
      })),
    ),
});
