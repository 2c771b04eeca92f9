// GET /fapi/v1/exchangeInfo (spec, symbol record).

import { Type } from 'typebox';
import { lotsMax, ticksMax } from '../../engine/limits.ts';
import { marketsOf } from '../../engine/views/exchange.ts';
import { type Market, shownStatus } from '../../engine/views/market.ts';
import type { Lots, Ticks, Time } from '../../units/units.ts';
import {
  assetText,
  countNumber,
  decimalText,
  exactObject,
  namedAnswerSchema,
  symbolText,
  timeNumber,
  wordsText,
} from '../answerSchema.ts';
import { enumerations } from '../enumerations.ts';
import { moneyText, priceText, quantityText, rateText } from '../grid.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { tierCeilings } from '../rateTiers.ts';
import { collateralAsset, farFuture } from './collateralAsset.ts';
import { placeTimesInForce, placeTypes } from './placeParameters.ts';
import { orderLimitRecords, rateLimitSchema, weightLimitRecord } from './rateLimitRecords.ts';

const quantitySchema = (filterType: 'LOT_SIZE' | 'MARKET_LOT_SIZE') =>
  exactObject({
    filterType: Type.Literal(filterType),
    minQty: decimalText(),
    maxQty: decimalText(),
    stepSize: decimalText(),
  });

const filterSchema = namedAnswerSchema(
  'Filter',
  Type.Union([
    exactObject({
      filterType: Type.Literal('PRICE_FILTER'),
      minPrice: decimalText(),
      maxPrice: decimalText(),
      tickSize: decimalText(),
    }),
    quantitySchema('LOT_SIZE'),
    quantitySchema('MARKET_LOT_SIZE'),
    exactObject({ filterType: Type.Literal('MIN_NOTIONAL'), notional: decimalText() }),
  ]),
);

const members = {
  symbol: symbolText(),
  pair: symbolText(),
  contractType: Type.Literal('PERPETUAL'),
  deliveryDate: timeNumber(),
  onboardDate: timeNumber(),
  status: enumerations.marketStatus,
  baseAsset: assetText(),
  quoteAsset: assetText(),
  marginAsset: assetText(),
  pricePrecision: countNumber(),
  quantityPrecision: countNumber(),
  baseAssetPrecision: countNumber(),
  quotePrecision: countNumber(),
  underlyingType: enumerations.underlyingType,
  settlePlan: Type.Literal(0),
  triggerProtect: decimalText(),
  filters: Type.Array(filterSchema),
  orderTypes: Type.Array(wordsText(placeTypes)),
  timeInForce: Type.Array(wordsText(placeTimesInForce), {
    description: 'For orders; algo orders also accept GTD.',
  }),
};

export const symbolSchema = namedAnswerSchema('Symbol', exactObject(members));

export const getExchangeInfo = defineQuery({
  name: 'getExchangeInfo',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/exchangeInfo',
  auth: 'none',
  weight: 10,
  summary: 'The markets of this deployment with their rules.',
  parameters: Type.Object({}),
  failures: ['noMarketListed'],
  response: exactObject({
    timezone: Type.Literal('UTC'),
    serverTime: timeNumber(),
    rateLimits: Type.Array(rateLimitSchema),
    assets: Type.Array(
      exactObject({
        asset: assetText(),
        marginAvailable: Type.Boolean(),
        autoAssetExchange: decimalText(),
      }),
    ),
    symbols: Type.Array(symbolSchema),
  }),
  query: ({ deployment }) => {
    const { time } = deployment.exchange;
    const markets = marketsOf(deployment.exchange);
    if (markets.length === 0) return { reason: 'noMarketListed' };
    const { standard } = tierCeilings;
    return answerJson({
      timezone: 'UTC',
      serverTime: deployment.clock.now(),
      rateLimits: [weightLimitRecord(standard), ...orderLimitRecords(standard)],
      assets: [{ asset: collateralAsset, marginAvailable: true, autoAssetExchange: '0' }],
      symbols: markets.map((market) => symbolRecord(market, time)),
    });
  },
});

const assetPrecision = 8;

export function symbolRecord(market: Market, now: Time): object {
  const { symbol, terms } = market;
  return {
    symbol,
    pair: symbol,
    contractType: 'PERPETUAL',
    deliveryDate: terms.deliveryTime === 0 ? farFuture : terms.deliveryTime,
    onboardDate: market.listedAt,
    status: shownStatus(market, now),
    baseAsset: market.baseAsset,
    quoteAsset: collateralAsset,
    marginAsset: collateralAsset,
    pricePrecision: market.tick.decimals,
    quantityPrecision: market.lot.decimals,
    baseAssetPrecision: assetPrecision,
    quotePrecision: assetPrecision,
    underlyingType: terms.underlyingType,
    settlePlan: 0,
    triggerProtect: rateText(terms.maintenanceMarginRate),
    filters: filtersOf(market),
    // The types of the order endpoint (spec): trailing stops and GTD exist only for algo orders.
    orderTypes: placeTypes,
    timeInForce: placeTimesInForce,
  };
}

/**
 * The largest price and quantity are those of the engine; the bound on notional applies long
 * before.
 */
function filtersOf(market: Market): object[] {
  const tickSize = priceText(1 as Ticks, market);
  const stepSize = quantityText(1 as Lots, market);
  const quantities = { minQty: stepSize, maxQty: quantityText(lotsMax, market), stepSize };
  const maxPrice = priceText(ticksMax, market);
  return [
    { filterType: 'PRICE_FILTER', minPrice: tickSize, maxPrice, tickSize },
    { filterType: 'LOT_SIZE', ...quantities },
    { filterType: 'MARKET_LOT_SIZE', ...quantities },
    { filterType: 'MIN_NOTIONAL', notional: moneyText(market.terms.minOrderSize) },
  ];
}
