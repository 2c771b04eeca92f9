// What the rule book admits that attackers may gain out of its rules in a scenario.

import type { MarketTerms } from '../../src/engine/marketTerms.ts';
import { holeOfTable } from '../../src/engine/views/holeOfTable.ts';
import { shareUp } from '../../src/units/notional.ts';
import { type Money, type Rate, rateOne } from '../../src/units/units.ts';
import type { Exposure } from './exposure.ts';
import type { Stage } from './stage.ts';

/**
 * What a gap of the mark may cost at most (MAR-10c), 1e-6 USDT: the hole of the table over the open
 * interest of the losing side as it was at the lowest mark so far, at which a position may have
 * opened, scaled by the mark. A market without a table admits nothing.
 */
export function holeOfGap(
  { brackets }: MarketTerms,
  { mark, lowest, long, short, grain }: Exposure,
  after: number,
): number {
  if (mark === 0 || brackets.length === 1) return 0;
  const gap = Math.ceil((Math.abs(after - mark) / mark) * rateOne) as Rate;
  const interest = ((after < mark ? long : short) * lowest * grain) as Money;
  return (holeOfTable(brackets, gap, interest) * mark) / lowest;
}

/** The holes of gaps, and the fund that unwinds within the base taker fee of the mark (LIQ-6). */
export function documentedBound({ ledger, world }: Stage): number {
  const takerFee = Math.max(...world.exchange.markets.map(({ terms }) => terms.takerFee)) as Rate;
  const unwinding = shareUp(ledger.unwound as Money, takerFee);
  return Math.min(unwinding, Math.max(0, ledger.gains.unwinding)) + Math.ceil(ledger.holes);
}
