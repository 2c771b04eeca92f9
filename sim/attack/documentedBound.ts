// What the rule book admits that attackers may gain out of its rules in a scenario.

import { shareUp } from '../../src/units/notional.ts';
import type { Money } from '../../src/units/units.ts';
import type { Stage } from './stage.ts';

/** The fund unwinds within the base taker fee of the mark (LIQ-6). 1e-6 USDT. */
export function documentedBound({ ledger, world }: Stage): number {
  const takerFee = Math.max(...world.exchange.markets.map(({ terms }) => terms.takerFee));
  const unwinding = shareUp(ledger.unwound as Money, takerFee as never);
  return Math.min(unwinding, Math.max(0, ledger.gains.unwinding));
}
