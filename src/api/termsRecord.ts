// The terms of a market by which its orders and positions are judged, as the operator sets them
// (OPS-2) and as traders read them (NAT-2).

import { type Static, Type } from 'typebox';
import type { Bracket } from '../engine/bracket.ts';
import type { MarketTerms } from '../engine/marketTerms.ts';
import { countNumber, decimalText, exactObject } from './answerSchema.ts';
import { enumerations } from './enumerations.ts';
import { moneyText, rateText } from './grid.ts';

export const bracketSchema = exactObject({
  up_to_usd: decimalText('Open interest of a side at which the bracket ends.'),
  rate: decimalText('The maintenance rate of what opens in it (MAR-10).'),
});

export const bracketRecord = ({ upTo, rate }: Bracket): Static<typeof bracketSchema> => ({
  up_to_usd: moneyText(upTo),
  rate: rateText(rate),
});

export const termsMembers = {
  max_leverage: countNumber(),
  maintenance_margin_rate: decimalText(),
  liquidation_fee_rate: decimalText(),
  min_order_size_usd: decimalText(),
  max_order_size_usd: decimalText(),
  oi_cap_usd: decimalText(),
  funding_factor: decimalText(),
  max_funding_rate: decimalText(),
  min_funding_rate: decimalText(),
  funding_interval_hours: countNumber(),
  max_market_slippage: decimalText(),
  mark_clamp: decimalText(),
  mark_band: decimalText(),
  maker_fee: decimalText(),
  taker_fee: decimalText(),
  self_trade_prevention: enumerations.selfTradeMode,
  brackets: Type.Array(bracketSchema),
  price_band: decimalText('How far from the mark an order may be priced (PRC-6).'),
  account_share_max: decimalText("The part of a side's cap that one account may hold (MAR-11)."),
  fund_fee_share: decimalText('The part of the fees that the insurance fund gets (LIQ-8).'),
  fund_target_usd: decimalText('It gets them while its equity is below this amount.'),
  gap_rate: decimalText('The gap of the index for which the brackets are made (MAR-10).'),
};

const termsSchema = Type.Object(termsMembers);
export type TermsRecord = Static<typeof termsSchema>;

export function termsRecord(terms: MarketTerms): TermsRecord {
  return {
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
    brackets: terms.brackets.map(bracketRecord),
    price_band: rateText(terms.priceBand),
    account_share_max: rateText(terms.accountShareMax),
    fund_fee_share: rateText(terms.fundFeeShare),
    fund_target_usd: moneyText(terms.fundTarget),
    gap_rate: rateText(terms.gapRate),
  };
}
