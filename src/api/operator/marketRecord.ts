// The market record of the operator surface (OPS-2): what an operator can list and change, and
// below it what the market answers to now.

import { type Static, Type } from 'typebox';
import { type Market, restrictionOf, shownStatus } from '../../engine/market.ts';
import type { Time } from '../../units/units.ts';
import { moneyText, priceText, rateText } from '../grid.ts';
import { gridText } from './readGrid.ts';

const text = () => Type.String();
const orNull = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

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
  restriction: Type.Enum(['none', 'breaker', 'stale', 'halted'], {
    description:
      'By the prices: breaker and stale take only what reduces, halted nothing (PRC-2, PRC-3).',
  }),
  index_age: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Milliseconds since an index was last accepted; null before the first.',
  }),
  breaker_until: orNull('When the breaker lets go again; null when it does not hold.'),
  pending_raise: Type.Union(
    [Type.Object({ maintenance_margin_rate: text(), time: Type.Integer() }), Type.Null()],
    { description: 'A raised maintenance rate that waits for its day (OPS-2).' },
  ),
  settled_time: orNull('When the market was settled; it never trades again (SYM-2).'),
});

export type MarketRecord = Static<typeof marketRecordSchema>;

export function marketRecord(market: Market, now: Time): MarketRecord {
  const { terms, prices, raise, dues } = market;
  const pending = { maintenance_margin_rate: rateText(raise.rate), time: raise.at };
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
    shown_status: shownStatus(market, now),
    index_price: prices.index === 0 ? '0' : priceText(prices.index, market),
    mark_price: prices.mark === 0 ? '0' : priceText(prices.mark, market),
    restriction: restrictionOf(market, now),
    index_age: prices.index === 0 ? null : Math.max(0, now - prices.indexAt),
    breaker_until: prices.breakerUntil > now ? prices.breakerUntil : null,
    pending_raise: raise.timer === 0 ? null : pending,
    settled_time: dues.settledAt === 0 ? null : dues.settledAt,
  };
}
