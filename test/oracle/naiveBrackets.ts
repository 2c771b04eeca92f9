// MAR-10: what opens has the rate of its bracket, by where the open interest of its side stands.

import { floorDiv, least, most, rateOne, sizeOf } from './exact.ts';
import { maintenanceOf, marketOf, openInterest } from './naiveFigures.ts';
import type { NaiveMarket, NaivePosition, NaiveState } from './naiveState.ts';

export type Opening = {
  readonly account: number;
  readonly market: number;
  readonly side: bigint;
  readonly lots: bigint;
  readonly ticks: bigint;
};

/**
 * For each bracket but the first: after how many lots it begins, and by how much the rate rises.
 */
function stepsOf({ terms, grain }: NaiveMarket, ticks: bigint): { from: bigint; rise: bigint }[] {
  return terms.brackets.slice(1).map(({ rate }, i) => ({
    from: floorDiv(terms.brackets[i]!.upTo, ticks * grain),
    rise: rate - terms.brackets[i]!.rate,
  }));
}

/** Every rise counts for the lots behind its beginning. */
export function extraOf(state: NaiveState, opening: Opening): bigint {
  const { account, market, side, lots, ticks } = opening;
  if (lots === 0n || state.accounts[account]!.house) return 0n;
  const before = openInterest(state, market, side);
  let extra = 0n;
  for (const { from, rise } of stepsOf(marketOf(state, market), ticks)) {
    const behind = most(0n, before + lots - from) - most(0n, before - from);
    extra += behind * rise;
  }
  return extra;
}

/** Whether the leverage is above 1 / (2 × rate of the last lot); the first rate allows any. */
export function isAboveBracket(state: NaiveState, opening: Opening, leverage: bigint): boolean {
  const { account, side, lots, ticks } = opening;
  if (lots === 0n || state.accounts[account]!.house) return false;
  const market = marketOf(state, opening.market);
  const last = openInterest(state, opening.market, side) + lots;
  const first = market.terms.brackets[0]!.rate;
  let rate = first;
  for (const { from, rise } of stepsOf(market, ticks)) if (last > from) rate += rise;
  return rate > first && leverage > 1n && 2n * leverage * rate > rateOne;
}

/** What is left of the extra when `closed` lots close: their part, rounded down, goes with them. */
export function extraLeft({ lots, extra }: NaivePosition, closed: bigint): bigint {
  return lots === 0n ? 0n : extra - floorDiv(extra * closed, sizeOf(lots));
}

/** Lots × rate, the rate below 100 %. */
export function weightOf(market: NaiveMarket, lots: bigint, extra: bigint): bigint {
  const size = sizeOf(lots);
  return least(size * market.terms.maintenance + extra, size * (rateOne - 1n));
}

/** MAR-9a: twice the maintenance of what an isolated position opens. */
export function dueToOpen(state: NaiveState, held: NaivePosition, opening: Opening): bigint {
  const { side, lots } = opening;
  const kept = held.lots * side < 0n ? { ...held, lots: 0n, extra: 0n } : held;
  const extra = kept.extra + extraOf(state, opening);
  const after = { ...kept, lots: kept.lots + side * lots, extra };
  return 2n * (maintenanceOf(state, after) - maintenanceOf(state, kept));
}
