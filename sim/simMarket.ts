// The one market of a simulated day: a grid that fits its prices, and the terms of the demo's
// AVAXUSDT (NUM-1), with a cap on open interest that leaves room for every account.

import { deriveBrackets } from '../src/api/operator/deriveBrackets.ts';
import type { Bracket } from '../src/engine/bracket.ts';
import type { Command } from '../src/engine/command.ts';
import type { Grid, MarketTerms } from '../src/engine/marketTerms.ts';
import type { Trade } from '../src/feeds/tradeFile.ts';
import { must } from '../src/std/assert.ts';
import { parseDecimal } from '../src/units/decimal.ts';
import type { MarketId, Money, Rate, Time } from '../src/units/units.ts';

export const market = 0 as MarketId;
export const indexSource = 'replay';

export const maxLeverage = 25;
const initialRate = 100_000_000 / maxLeverage;
/** MAR-8: half of the initial rate at the highest leverage. */
const maintenanceRate = initialRate / 2;

const terms: MarketTerms = {
  maxLeverage,
  maintenanceMarginRate: maintenanceRate as Rate,
  liquidationFeeRate: 500_000 as Rate,
  minOrderSize: 5_000_000 as Money,
  maxOrderSize: 1_000_000_000_000 as Money,
  openInterestCap: 1_000_000_000_000_000 as Money,
  fundingFactor: 1_000_000 as Rate,
  maxFundingRate: 1_000_000 as Rate,
  minFundingRate: -1_000_000 as Rate,
  fundingIntervalHours: 8,
  maxMarketSlippage: 5_000_000 as Rate,
  markClamp: ((initialRate - maintenanceRate) / 4) as Rate,
  markBand: 2_000_000 as Rate,
  makerFee: 20_000 as Rate,
  takerFee: 50_000 as Rate,
  selfTradePrevention: 'EXPIRE_MAKER',
  indexSources: [{ source: indexSource, weight: 1 }],
  underlyingType: 'COIN',
  deliveryTime: 0 as Time,
  brackets: [{ upTo: 1_000_000_000_000_000 as Money, rate: maintenanceRate as Rate }],
  // So wide that recorded prints far from the index are entered, as --prints says (PRC-6).
  priceBand: 99_000_000 as Rate,
  accountShareMax: 100_000_000 as Rate,
  fundFeeShare: 0 as Rate,
  fundTarget: 0 as Money,
  gapRate: 5_000_000 as Rate,
};

/** Decimals that a grid may have, and those of money. */
const decimalsMax = 8;
const moneyDecimals = 6;

/**
 * A tick of at most a ten-thousandth of the lowest price, and a lot of a few USDT at most; tick ×
 * lot is a whole number of 1e-6 USDT (UNIT-1).
 */
export function gridsFor(trades: readonly Trade[]): { readonly tick: Grid; readonly lot: Grid } {
  const prices = trades.map(({ price }) => {
    const { digits, scale } = must(parseDecimal(price), `${price} is a decimal`);
    return Number(digits) / 10 ** scale;
  });
  let low = Number.POSITIVE_INFINITY;
  for (const price of prices) low = Math.min(low, price);
  let decimals = 0;
  while (decimals < decimalsMax && low * 10 ** decimals < 10_000) decimals += 1;
  const tick = { decimals, step: 1 };
  if (decimals > moneyDecimals) {
    return { tick, lot: { decimals: 0, step: 10 ** (decimals - moneyDecimals) } };
  }
  let lotDecimals = 0;
  while (lotDecimals < moneyDecimals - decimals && low / 10 ** lotDecimals > 3) lotDecimals += 1;
  return { tick, lot: { decimals: lotDecimals, step: 1 } };
}

export function listingOf(
  grids: { readonly tick: Grid; readonly lot: Grid },
  brackets: readonly Bracket[] = terms.brackets,
): Command {
  const names = { symbol: 'CRASHUSDT', baseAsset: 'CRASH' };
  return {
    kind: 'listMarket',
    ...names,
    ...grids,
    terms: { ...terms, brackets },
    status: 'TRADING',
  };
}

/** Without a gap one bracket; else what `evermark markets brackets` derives for such a fund. */
export function bracketsFor(fund: Money, gap: Rate | undefined): readonly Bracket[] {
  if (gap === undefined) return terms.brackets;
  const { openInterestCap: cap, maintenanceMarginRate: baseRate, minOrderSize: orderMin } = terms;
  const table = deriveBrackets({ fund, gap, cap, maxLeverage, baseRate, orderMin });
  if (table.kind !== 'derived') throw new Error('the fund is too small, or the gap too large');
  return table.steps.map(({ upTo, rate }) => ({ upTo, rate }));
}
