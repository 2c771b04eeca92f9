// GET /api/v1/account/fee-info (MAR-6): the fee rates of fills, and the table from which they come.
// With a token it shows the account's tier of today, without one the lowest tier.

import { Type } from 'typebox';
import { feeRatesOf, tierOf, volumeOf } from '../../engine/views/account.ts';
import { marketsOf } from '../../engine/views/exchange.ts';
import { countNumber, decimalText, exactObject, symbolText } from '../answerSchema.ts';
import { feeTierSchema, feeTiersRecord } from '../feeTiersRecord.ts';
import { moneyText, rateText } from '../grid.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { optional, symbolParameter } from '../parameterSchema.ts';
import * as routes from './nativeRoutes.ts';

export const getFeeInfo = defineQuery({
  ...routes.getFeeInfo,
  name: 'getFeeInfo',
  surface: 'native',
  weight: 1,
  summary: "Effective maker and taker rates per market, at the caller's tier.",
  parameters: Type.Object({ symbol: optional(symbolParameter()) }),
  response: exactObject({
    fee_tier: countNumber(),
    volume_14d: decimalText('Maker and taker volume of the fourteen UTC days before today, USDT.'),
    rates: Type.Array(
      exactObject({
        symbol: symbolText(),
        maker_commission_rate: decimalText(),
        taker_commission_rate: decimalText(),
      }),
    ),
    tiers: Type.Array(feeTierSchema),
  }),
  query: ({ deployment: { exchange }, account }, { symbol }) => {
    const markets = symbol === undefined ? marketsOf(exchange) : [symbol];
    return answerJson({
      fee_tier: account === undefined ? 0 : tierOf(exchange, account),
      volume_14d: account === undefined ? '0' : moneyText(volumeOf(exchange, account)),
      rates: markets.map((market) => {
        const { maker, taker } = feeRatesOf(exchange, market, account);
        return {
          symbol: market.symbol,
          maker_commission_rate: rateText(maker),
          taker_commission_rate: rateText(taker),
        };
      }),
      tiers: feeTiersRecord(exchange.feeTiers),
    });
  },
});
