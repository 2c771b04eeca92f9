// The conservation of money, asserted at every command in O(1) (BAL-2). The full check over the
// whole state stands in invariants.ts.

import { assert } from '../../std/assert.ts';
import type { Exchange } from '../exchange.ts';

/**
 * What the command moved must cancel out:
 * Δ balances + Δ funds − Δ entry notional = Δ deposits, where the shortfall counts negative.
 */
export function assertCommandConserves(exchange: Exchange): void {
  const { check } = exchange;
  const moved = check.balances + check.funds - check.entries;
  assert(moved === check.deposits, 'a command created or destroyed money');
  check.balances = 0;
  check.funds = 0;
  check.entries = 0;
  check.deposits = 0;
}
