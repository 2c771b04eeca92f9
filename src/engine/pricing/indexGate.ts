// The gate that an index must pass before it has any effect (PRC-2): which source prices still
// count, which index they give, and whether it is accepted. Pure functions; the operation that
// takes the prices writes the decisions.

import type { Ticks, Time } from '../../units/units.ts';
import type { MarketPrices, PendingIndex, SourcePrice } from '../market.ts';
import type { IndexSource } from '../marketTerms.ts';
import { weightedMedian } from './indexPrice.ts';

/** The source of the operator's own price: accepted at once, and used before all others (PRC-2). */
export const manualSource = 'manual';
/** The maximum distance of an observation from the engine's time, and how long its price counts. */
const freshMs = 5000;
/** After a longer gap without an accepted index, a jump cannot be distinguished from a move. */
const gapMs = 120_000;
/** The number of successive indexes that must agree when no second source confirms a jump. */
const agreeingIndexes = 3;
/** The least time between two of them, milliseconds. */
const agreeingStepMs = 1000;

/** Whether a price was observed near the engine's time, not long ago and not in the future. */
export function isTimely(observedAt: Time, now: Time): boolean {
  return observedAt >= now - freshMs && observedAt <= now + freshMs;
}

/** The prices that still count: those that arrived at most five seconds ago. */
export function freshPrices(prices: readonly SourcePrice[], now: Time): readonly SourcePrice[] {
  return prices.filter(({ takenAt }) => now - takenAt <= freshMs);
}

/**
 * The index that fresh prices give: the operator's price when there is one, else the weighted
 * median. undefined when no configured source has a fresh price.
 */
export function candidateIndex(
  sources: readonly IndexSource[],
  fresh: readonly SourcePrice[],
): Ticks | undefined {
  return manualPrice(fresh)?.ticks ?? weightedMedian(sources, fresh);
}

export type Candidate = {
  readonly ticks: Ticks;
  readonly sources: readonly IndexSource[];
  readonly fresh: readonly SourcePrice[];
  readonly now: Time;
};

/**
 * Whether the index is accepted, and which refused ones wait until the next ones agree with them.
 */
export type Verdict = { readonly accepted: boolean; readonly pending: readonly PendingIndex[] };

const accepted: Verdict = { accepted: true, pending: [] };

/**
 * The gate (PRC-2). It accepts the operator's price and the first index of all. While the last
 * index is at most 120 s old, it also accepts a move of at most 10 % of that index, and a jump that
 * two fresh sources confirm. A jump of a market with one source, and any index after a longer gap,
 * waits until three successive ones agree.
 */
export function indexGate(
  candidate: Candidate,
  prices: Pick<MarketPrices, 'index' | 'indexAt' | 'pending'>,
): Verdict {
  const { ticks, sources, fresh, now } = candidate;
  const { index, indexAt, pending } = prices;
  const next = { ticks, at: now };
  if (manualPrice(fresh) !== undefined) return accepted;
  if (index === 0) return accepted;
  if (now - indexAt <= gapMs) {
    // |candidate − index| ≤ 10 % of the index.
    if (Math.abs(ticks - index) * 10 <= index) return accepted;
    if (sources.length >= 2) {
      if (isConfirmed(ticks, fresh)) return accepted;
      // After a gap the next ones may agree with it; now only a second source can confirm it.
      const { pending: waiting } = waitForAgreement(pending.slice(-1), next);
      return { accepted: false, pending: waiting };
    }
  }
  return waitForAgreement(pending, next);
}

/**
 * Every price here comes from a configured source: no other is taken, and a removed source loses
 * its price.
 */
const manualPrice = (fresh: readonly SourcePrice[]): SourcePrice | undefined =>
  fresh.find(({ source }) => source === manualSource);

/** Two fresh sources are within 1 % of the candidate: |price − candidate| × 100 ≤ candidate. */
function isConfirmed(ticks: Ticks, fresh: readonly SourcePrice[]): boolean {
  const near = fresh.filter((price) => Math.abs(price.ticks - ticks) * 100 <= ticks);
  return near.length >= 2;
}

/**
 * Three successive indexes agree when each two of them are within 1 % of the lower one and each
 * came at least a second after the one before. An index that disagrees starts the count again.
 */
function waitForAgreement(pending: readonly PendingIndex[], next: PendingIndex): Verdict {
  if (!pending.every(({ ticks }) => agree(ticks, next.ticks))) {
    return { accepted: false, pending: [next] };
  }
  const last = pending.at(-1);
  if (last !== undefined && next.at - last.at < agreeingStepMs) return { accepted: false, pending };
  const counted = [...pending, next];
  return counted.length >= agreeingIndexes ? accepted : { accepted: false, pending: counted };
}

/** |a − b| × 100 ≤ min(a, b). */
const agree = (a: Ticks, b: Ticks): boolean => Math.abs(a - b) * 100 <= Math.min(a, b);
