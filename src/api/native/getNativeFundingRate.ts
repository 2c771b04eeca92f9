// GET /api/v1/funding-rates/{symbol} (NAT-2): the rate of the present interval and its inputs
// (FUND-1). FAPI's fundingRate shows the settled rates.

import { Type } from 'typebox';
import {
  fundingRateOf,
  hourlyFundingRate,
  nextFundingTime,
} from '../../engine/views/fundingRateOf.ts';
import { openInterestOf } from '../../engine/views/openInterestOf.ts';
import type { Rate } from '../../units/units.ts';
import { countNumber, decimalText, exactObject, symbolText, timeNumber } from '../answerSchema.ts';
import { moneyText, priceText, rateText } from '../grid.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { marketParameter } from '../parameterSchema.ts';
import * as routes from './nativeRoutes.ts';

export const getNativeFundingRate = defineQuery({
  ...routes.getNativeFundingRate,
  name: 'getNativeFundingRate',
  surface: 'native',
  weight: 1,
  summary: 'The funding rate in progress, its bounds, and open interest per side in USD.',
  parameters: Type.Object({ symbol: marketParameter() }),
  response: exactObject({
    symbol: symbolText(),
    funding_rate: decimalText(
      'What the next boundary pays if the present stands; above 0 longs pay shorts.',
    ),
    funding_rate_long_1h: decimalText('An hour of it; negative: longs pay.'),
    funding_rate_short_1h: decimalText('An hour of it; negative: shorts pay.'),
    min_funding_rate: decimalText(),
    max_funding_rate: decimalText(),
    funding_interval_hours: countNumber(),
    next_funding_time: timeNumber(),
    mark_price: decimalText(),
    index_price: decimalText(),
    long_oi_usd: decimalText(),
    short_oi_usd: decimalText(),
    time: timeNumber(),
  }),
  query: ({ deployment, now }, { symbol: market }) => {
    const { terms, prices, symbol } = market;
    const { time } = deployment.exchange;
    const rate = fundingRateOf(market, time);
    const hourly = hourlyFundingRate(market, time);
    const { longNotional, shortNotional } = openInterestOf(market);
    return answerJson({
      symbol,
      funding_rate: rateText(rate),
      funding_rate_long_1h: rateText((0 - hourly) as Rate),
      funding_rate_short_1h: rateText(hourly),
      min_funding_rate: rateText(terms.minFundingRate),
      max_funding_rate: rateText(terms.maxFundingRate),
      funding_interval_hours: terms.fundingIntervalHours,
      next_funding_time: nextFundingTime(market, now),
      mark_price: priceText(prices.mark, market),
      index_price: priceText(prices.index, market),
      long_oi_usd: moneyText(longNotional),
      short_oi_usd: moneyText(shortNotional),
      time: now,
    });
  },
});
