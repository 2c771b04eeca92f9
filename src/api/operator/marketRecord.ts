// The market record of the operator surface (OPS-2): what an operator can list and change, and
// below it what the market answers to now.

import { type Static, Type } from 'typebox';
import { type Market, shownStatus } from '../../engine/market.ts';
import { moneyText, priceText, rateText } from '../grid.ts';
import { gridText } from './readGrid.ts';

const text = () => Type.String();

export const marketRecordSchema = Type.Object({
  symbol: text(),
  base_asset: text(),
  tick_size: text(),
  lot_size: text(),
  max_leverage: Type.Integer(),
  maintenance_margin_rate: text(),
  liquidation_fee_rate: text(),
  min_order_size_usd: text(),
  max_order_size_usd: text(),
  oi_cap_usd: text(),
  funding_factor: text(),
  max_funding_rate: text(),
  min_funding_rate: text(),
  funding_interval_hours: Type.Integer(),
  max_market_slippage: text(),
  mark_clamp: text(),
  mark_band: text(),
  maker_fee: text(),
  taker_fee: text(),
  self_trade_prevention: text(),
  index_sources: Type.Array(Type.Object({ source: text(), weight: Type.Integer() })),
  underlying_type: text(),
  status: text(),
  delivery_time: Type.Union([Type.Integer(), Type.Null()]),
  shown_status: Type.String({ description: 'The stricter of status and the prices (SYM-1).' }),
  index_price: Type.String({ description: '"0" before the first.' }),
  mark_price: text(),
});

export type MarketRecord = Static<typeof marketRecordSchema>;

export function marketRecord(market: Market): MarketRecord {
  const { terms, prices } = market;
  return {
    symbol: market.symbol,
    base_asset: market.baseAsset,
    tick_size: gridText(market.tick),
    lot_size: gridText(market.lot),
    max_leverage: terms.maxLeverage,
    maintenance_margin_rate: rateText(terms.maintenanceMarginRate),
    liquidation_fee_rate: rateText(terms.liquidationFeeRate),
    min_order_size_usd: moneyText(terms.minOrderSize),
    max_order_size_usd: moneyText(terms.maxOrderSize),
    oi_cap_usd: moneyText(terms.openInterestCap),
    funding_factor: rateText(terms.fundingFactor),
    max_funding_rate: rateText(terms.maxFundingRate),
    min_funding_rate: rateText(terms.minFundingRate),
    funding_interval_hours: terms.fundingIntervalHours,
    max_market_slippage: rateText(terms.maxMarketSlippage),
    mark_clamp: rateText(terms.markClamp),
    mark_band: rateText(terms.markBand),
    maker_fee: rateText(terms.makerFee),
    taker_fee: rateText(terms.takerFee),
    self_trade_prevention: terms.selfTradePrevention,
    index_sources: terms.indexSources.map(({ source, weight }) => ({ source, weight })),
    underlying_type: terms.underlyingType,
    status: market.status,
    delivery_time: terms.deliveryTime === 0 ? null : terms.deliveryTime,
    shown_status: shownStatus(market),
    index_price: prices.index === 0 ? '0' : priceText(prices.index, market),
    mark_price: prices.mark === 0 ? '0' : priceText(prices.mark, market),
  };
}
