// GET /fapi/v1/premiumIndex (conventions, 6.4): mark, index and the rate of the present interval.
// The rate follows open interest and not a premium (spec, model rule 4). A market without an index
// yet has prices of zero.

import { marketsOf } from '../../engine/views/exchange.ts';
import { fundingRateOf, nextFundingTime } from '../../engine/views/fundingRateOf.ts';
import { type Market, settlementTicks } from '../../engine/views/market.ts';
import type { Time } from '../../units/units.ts';
import { decimalText, exactObject, symbolText, timeNumber } from '../answerSchema.ts';
import { priceText, rateText } from '../grid.ts';
import { defineQuery } from '../operation.ts';
import { oneOrAll, oneOrAllSchema, optionalSymbol } from './oneOrAll.ts';

const row = exactObject({
  symbol: symbolText(),
  markPrice: decimalText(),
  indexPrice: decimalText(),
  estimatedSettlePrice: decimalText(),
  lastFundingRate: decimalText('What the next boundary pays if the present stands.'),
  interestRate: decimalText(),
  nextFundingTime: timeNumber(),
  time: timeNumber(),
});

export const getPremiumIndex = defineQuery({
  name: 'getPremiumIndex',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/premiumIndex',
  auth: 'none',
  weight: 1,
  summary: 'Mark, index and funding rate of one symbol or of all.',
  parameters: optionalSymbol,
  response: oneOrAllSchema(row),
  query: ({ deployment, now }, { symbol }) => {
    const { exchange } = deployment;
    return oneOrAll(symbol, marketsOf(exchange), (market) => {
      return premiumRecord(market, { now, batch: exchange.time });
    });
  },
});

/** `batch`: the engine's time, up to which the rate is averaged (FUND-1b). */
type Times = { readonly now: Time; readonly batch: Time };

function premiumRecord(market: Market, { now, batch }: Times): object {
  return {
    symbol: market.symbol,
    markPrice: priceText(market.prices.mark, market),
    indexPrice: priceText(market.prices.index, market),
    // The index, except in the last hour before the market's delivery (SYM-2).
    estimatedSettlePrice: priceText(settlementTicks(market), market),
    lastFundingRate: rateText(fundingRateOf(market, batch)),
    // There is no interest component.
    interestRate: '0.00000000',
    nextFundingTime: nextFundingTime(market, now),
    time: now,
  };
}
