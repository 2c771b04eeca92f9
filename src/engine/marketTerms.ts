// What a market can be: its grid, its status and the terms of the operator. What it is at present
// stands in market.ts.

import type { Money, Rate, Time } from '../units/units.ts';
import { type Bracket, oneBracket, shiftBrackets } from './bracket.ts';
import type { MaintenanceTerms } from './clearing/maintenance.ts';
import type { SelfTradeMode } from './orderTypes.ts';

/** A decimal step: step × 10^-decimals. A tick of 0.5 is decimals 1, step 5. */
export type Grid = { readonly decimals: number; readonly step: number };

export const marketStatuses = ['TRADING', 'HALT', 'CLOSE'] as const;
export type MarketStatus = (typeof marketStatuses)[number];

export const underlyingTypes = ['COIN', 'INDEX', 'DEFI'] as const;
export type UnderlyingType = (typeof underlyingTypes)[number];

/** The terms an operator lists and may change (OPS-2). */
export type MarketTerms = MaintenanceTerms & {
  readonly maxLeverage: number;
  readonly liquidationFeeRate: Rate;
  readonly minOrderSize: Money;
  readonly maxOrderSize: Money;
  readonly openInterestCap: Money;
  readonly fundingFactor: Rate;
  readonly maxFundingRate: Rate;
  readonly minFundingRate: Rate;
  readonly fundingIntervalHours: number;
  readonly maxMarketSlippage: Rate;
  readonly markClamp: Rate;
  readonly markBand: Rate;
  readonly makerFee: Rate;
  readonly takerFee: Rate;
  readonly selfTradePrevention: SelfTradeMode;
  readonly indexSources: readonly IndexSource[];
  readonly underlyingType: UnderlyingType;
  /** 0 unless a delivery is scheduled. */
  readonly deliveryTime: Time;
  /** How far from the mark an order may be priced against its account (PRC-6). */
  readonly priceBand: Rate;
  /** The part of a side's cap that one account may hold (MAR-11). */
  readonly accountShareMax: Rate;
  /** The part of the trading fees that goes to the insurance fund (LIQ-8). */
  readonly fundFeeShare: Rate;
  /** It goes there while the fund's equity is below this amount. */
  readonly fundTarget: Money;
  /** The gap of the index for which the brackets are made (MAR-10). */
  readonly gapRate: Rate;
};

/**
 * The terms after a change. When the change has no table of its own, the whole table moves with the
 * maintenance rate, which is its first rate (MAR-10a). One bracket ends at the cap; of a longer
 * table no bound moves, and a cap above its last one is refused.
 */
export function termsAfter(present: MarketTerms, change: Partial<MarketTerms>): MarketTerms {
  const terms = { ...present, ...change };
  if (change.brackets !== undefined) return terms;
  return { ...terms, brackets: movedBrackets(present, terms) };
}

function movedBrackets(present: MarketTerms, wanted: MarketTerms): readonly Bracket[] {
  const { maintenanceMarginRate: rate, openInterestCap: cap } = wanted;
  if (present.brackets.length > 1) {
    return shiftBrackets(present.brackets, rate - present.maintenanceMarginRate);
  }
  return cap === present.openInterestCap
    ? shiftBrackets(present.brackets, rate - present.maintenanceMarginRate)
    : oneBracket(rate, cap);
}

export type IndexSource = { readonly source: string; readonly weight: number };

/** Whether two lists name the same sources with the same weights, in whatever order. */
export function sameSources(one: readonly IndexSource[], other: readonly IndexSource[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ source, weight }) =>
      other.some((each) => each.source === source && each.weight === weight),
    )
  );
}

/** What the prices forbid, apart from the operator (SYM-1, PRC-2, PRC-3). */
export type Restriction = 'none' | 'breaker' | 'stale' | 'halted';
