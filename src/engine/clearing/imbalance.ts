// The imbalance of open interest, summed over the time of a funding interval (FUND-1b). The sum is
// advanced when open interest changes, and when the interval ends; views/fundingRateOf.ts makes the
// rate of it.

import { assert } from '../../std/assert.ts';
import { mulDivHalfEven } from '../../units/mulDiv.ts';
import { type Rate, rateOne, type Time } from '../../units/units.ts';
import type { MarketFigures } from '../market.ts';

/** The longest interval: a boundary comes at every midnight UTC, whatever the terms. */
const intervalMsMax = 86_400_000;

/** The part of the figures that this file reads and writes. */
export type ImbalanceFigures = Pick<
  MarketFigures,
  'longLots' | 'shortLots' | 'imbalanceSum' | 'imbalanceMs' | 'imbalanceAt'
>;

/** (long − short) / (long + short), half to even at 1e-8; 0 without open interest (FUND-1). */
export function imbalanceOf({ longLots, shortLots }: Readonly<ImbalanceFigures>): Rate {
  const total = longLots + shortLots;
  if (total === 0) return 0 as Rate;
  return mulDivHalfEven(rateOne, longLots - shortLots, total) as Rate;
}

/** The sum of an interval: 1e-8 × ms, and the milliseconds in it that had open interest. */
export type ImbalanceSum = { readonly sum: number; readonly ms: number };

/**
 * The sum up to a time that is not before its last step. Time without open interest does not count.
 * |sum| ≤ 1e8 × a day in milliseconds, which is a safe integer.
 */
export function imbalanceUntil(figures: Readonly<ImbalanceFigures>, until: Time): ImbalanceSum {
  const { imbalanceSum: sum, imbalanceMs: ms, imbalanceAt, longLots, shortLots } = figures;
  const elapsed = until - imbalanceAt;
  assert(elapsed >= 0, 'the sum of an imbalance never runs backwards');
  if (elapsed === 0 || longLots + shortLots === 0) return { sum, ms };
  assert(ms + elapsed <= intervalMsMax, 'a funding interval ends within a day');
  return { sum: sum + imbalanceOf(figures) * elapsed, ms: ms + elapsed };
}

/**
 * Advances the sum to the present, before open interest changes. Cost: nothing more once a batch
 * and market has done it.
 */
export function advanceImbalance(figures: ImbalanceFigures, now: Time): void {
  if (figures.imbalanceAt === now) return;
  const { sum, ms } = imbalanceUntil(figures, now);
  figures.imbalanceSum = sum;
  figures.imbalanceMs = ms;
  figures.imbalanceAt = now;
}

/** Begins the next interval at its boundary. */
export function beginInterval(figures: ImbalanceFigures, boundary: Time): void {
  figures.imbalanceSum = 0;
  figures.imbalanceMs = 0;
  figures.imbalanceAt = boundary;
}
