// GET /fapi/v1/exchangeInfo (spec, symbol record).

import { Type } from 'typebox';
import { lotsMax, ticksMax } from '../../engine/limits.ts';
import { type Market, marketStatuses, shownStatus, underlyingTypes } from '../../engine/market.ts';
import type { Lots, Ticks, Time } from '../../units/units.ts';
import { moneyText, priceText, quantityText, rateText } from '../grid.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { tierCeilings } from '../rateTiers.ts';
import { collateralAsset, farFuture } from './collateralAsset.ts';
import { algoTimesInForce } from './placeAlgoOrder.ts';
import { placeTypes } from './placeParameters.ts';
import { orderLimitRecords, rateLimitSchema, weightLimitRecord } from './rateLimitRecords.ts';

export const symbolSchema = Type.Object({
  symbol: Type.String(),
  pair: Type.String(),
  contractType: Type.Literal('PERPETUAL'),
  deliveryDate: Type.Integer(),
  onboardDate: Type.Integer(),
  status: Type.Enum([...marketStatuses]),
  baseAsset: Type.String(),
  quoteAsset: Type.String(),
  marginAsset: Type.String(),
  pricePrecision: Type.Integer(),
  quantityPrecision: Type.Integer(),
  baseAssetPrecision: Type.Integer(),
  quotePrecision: Type.Integer(),
  underlyingType: Type.Enum([...underlyingTypes]),
  settlePlan: Type.Integer(),
  triggerProtect: Type.String(),
  filters: Type.Array(Type.Object({ filterType: Type.String() })),
  orderTypes: Type.Array(Type.String()),
  timeInForce: Type.Array(Type.String()),
});

export const getExchangeInfo = defineQuery({
  name: 'getExchangeInfo',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/exchangeInfo',
  auth: 'none',
  weight: 10,
  summary: 'The markets of this deployment with their rules.',
  parameters: Type.Object({}),
  response: Type.Object({
    timezone: Type.Literal('UTC'),
    serverTime: Type.Integer(),
    rateLimits: Type.Array(rateLimitSchema),
    assets: Type.Array(
      Type.Object({
        asset: Type.String(),
        marginAvailable: Type.Boolean(),
        autoAssetExchange: Type.String(),
      }),
    ),
    symbols: Type.Array(symbolSchema),
  }),
  query: ({ deployment }) => {
    const { markets, time } = deployment.exchange;
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
    // Those of the order endpoint (spec), which trailing stops are not among.
    orderTypes: placeTypes,
    timeInForce: algoTimesInForce,
  };
}

/** The largest price and quantity are the engine's; notional bounds them long before. */
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
