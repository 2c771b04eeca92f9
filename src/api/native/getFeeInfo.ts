// GET /api/v1/account/fee-info: the rates that fills are charged at. With a token the account's
// tier, without one the base tier, which is the only one there is (MAR-6).

import { Type } from 'typebox';
import { rateText } from '../grid.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { optional, symbolParameter } from '../parameterSchema.ts';

export const getFeeInfo = defineQuery({
  name: 'getFeeInfo',
  surface: 'native',
  method: 'GET',
  path: '/api/v1/account/fee-info',
  auth: 'jwtOptional',
  weight: 1,
  summary: "Effective maker and taker rates per market, at the caller's tier.",
  parameters: Type.Object({ symbol: optional(symbolParameter()) }),
  response: Type.Object({
    fee_tier: Type.Integer(),
    rates: Type.Array(
      Type.Object({
        symbol: Type.String(),
        maker_commission_rate: Type.String(),
        taker_commission_rate: Type.String(),
      }),
    ),
  }),
  query: ({ deployment, account }, { symbol }) => {
    const markets = symbol === undefined ? deployment.exchange.markets : [symbol];
    return answerJson({
      fee_tier: account?.feeTier ?? 0,
      rates: markets.map(({ symbol: name, terms }) => ({
        symbol: name,
        maker_commission_rate: rateText(terms.makerFee),
        taker_commission_rate: rateText(terms.takerFee),
      })),
    });
  },
});
