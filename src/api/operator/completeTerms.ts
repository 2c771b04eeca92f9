// Completes the terms of a market when its record leaves some out (OPS-2, NUM-1, MAR-6, MAR-8,
// MAR-10, MAR-11, PRC-1, PRC-6, LIQ-8).

import { oneBracket } from '../../engine/bracket.ts';
import type { MarketTerms } from '../../engine/marketTerms.ts';
import { type Money, type Rate, rateOne, type Time, usdt } from '../../units/units.ts';

const maxLeverageDefault = 20;
const percent = rateOne / 100;

/**
 * Completes the sent terms. Some defaults follow from others: maintenance rate = half the initial
 * rate at maximum leverage, rounded up (MAR-8); mark clamp = (1 / max leverage − maintenance rate)
 * / 4, rounded down (PRC-1); one bracket at the maintenance rate (MAR-10); a price band of 5 % from
 * a leverage of 50 on, else of 10 % (PRC-6).
 *
 * The target of the fund is a tenth of the open interest cap (LIQ-8). With the default leverage of
 * 20 a gap of 5 % at the cap costs at most 5 % − 2.5 % of it, which is a quarter of such a fund.
 */
export function completeTerms(sent: Partial<MarketTerms>, defaultIndexSource: string): MarketTerms {
  const maxLeverage = sent.maxLeverage ?? maxLeverageDefault;
  // An invalid leverage: the engine rejects it before it looks at the rates.
  const leverage = maxLeverage >= 1 ? maxLeverage : 1;
  const maintenanceMarginRate =
    sent.maintenanceMarginRate ?? (Math.ceil(rateOne / (2 * leverage)) as Rate);
  const headroom = Math.max(Math.floor(rateOne / leverage) - maintenanceMarginRate, 0);
  const openInterestCap = sent.openInterestCap ?? ((20_000_000 * usdt) as Money);
  return {
    liquidationFeeRate: (percent / 2) as Rate,
    minOrderSize: (5 * usdt) as Money,
    maxOrderSize: (1_000_000 * usdt) as Money,
    fundingFactor: percent as Rate,
    maxFundingRate: percent as Rate,
    minFundingRate: -percent as Rate,
    fundingIntervalHours: 8,
    maxMarketSlippage: (5 * percent) as Rate,
    markClamp: Math.floor(headroom / 4) as Rate,
    markBand: (2 * percent) as Rate,
    makerFee: ((2 * percent) / 100) as Rate,
    takerFee: ((5 * percent) / 100) as Rate,
    selfTradePrevention: 'EXPIRE_MAKER',
    indexSources: [{ source: defaultIndexSource, weight: 1 }],
    underlyingType: 'COIN',
    deliveryTime: 0 as Time,
    brackets: oneBracket(maintenanceMarginRate, openInterestCap),
    priceBand: ((maxLeverage >= 50 ? 5 : 10) * percent) as Rate,
    accountShareMax: (25 * percent) as Rate,
    fundFeeShare: (20 * percent) as Rate,
    fundTarget: Math.floor(openInterestCap / 10) as Money,
    gapRate: (5 * percent) as Rate,
    ...sent,
    maxLeverage,
    maintenanceMarginRate,
    openInterestCap,
  };
}
