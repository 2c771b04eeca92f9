// The maintenance rate of what opens (MAR-10): by where the open interest of its side stands. What
// the position keeps of it stands in maintenance.ts.

import { mulDivFloor } from '../../units/mulDiv.ts';
import { type Lots, type Rate, rateOne, type Ticks } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Bracket } from '../bracket.ts';
import type { Market } from '../market.ts';
import type { Side } from '../orderTypes.ts';

/** Lots that open at a price. */
export type OpeningLots = { readonly side: Side; readonly lots: Lots; readonly ticks: Ticks };

/**
 * Σ lots × (rate of their bracket − first rate), in 1e-8 lots. Counted from the first lot of the
 * side, lot n stands in the first bracket with n × price ≤ its bound, beyond the last bound in the
 * last bracket. What an internal account opens is no open interest and has the first rate. Cost:
 * the brackets.
 */
export function openingSurcharge(market: Market, account: Account, opening: OpeningLots): bigint {
  const { brackets } = market.terms;
  if (brackets.length === 1 || opening.lots === 0 || account.house) return 0n;
  const first = brackets[0]!.rate;
  let from: number = sideLots(market, opening.side);
  const to = from + opening.lots;
  let surcharge = 0n;
  for (const bracket of brackets) {
    const end = Math.min(to, lastLotOf(market, bracket, opening.ticks));
    if (end <= from) continue;
    surcharge += BigInt(end - from) * BigInt(bracket.rate - first);
    from = end;
  }
  return surcharge;
}

/**
 * The highest leverage of an opening (MAR-10): the market's maximum in brackets of the first rate,
 * else 1 / (2 × rate of the last lot), rounded down, at least 1. Cost: the brackets.
 */
export function leverageMaxOf(market: Market, account: Account, opening: OpeningLots): number {
  const { brackets, maxLeverage } = market.terms;
  if (brackets.length === 1 || opening.lots === 0 || account.house) return maxLeverage;
  const last = sideLots(market, opening.side) + opening.lots;
  const bracket = brackets.find((each) => last <= lastLotOf(market, each, opening.ticks))!;
  return bracketLeverage(market.terms, bracket.rate);
}

/** The highest leverage in the brackets of a rate. */
export function bracketLeverage(
  {
    brackets,
    maxLeverage,
  }: { readonly brackets: readonly Bracket[]; readonly maxLeverage: number },
  rate: Rate,
): number {
  if (rate === brackets[0]!.rate) return maxLeverage;
  return Math.min(maxLeverage, Math.max(1, mulDivFloor(rateOne, 1, 2 * rate)));
}

/** The number of the last lot of a side that opens in the bracket at this price. */
function lastLotOf({ terms, grain }: Market, bracket: Bracket, ticks: Ticks): number {
  if (bracket === terms.brackets.at(-1)) return Number.MAX_SAFE_INTEGER;
  return mulDivFloor(bracket.upTo, 1, ticks * grain);
}

function sideLots({ figures }: Market, side: Side): Lots {
  return side > 0 ? figures.longLots : figures.shortLots;
}
