// The conservation of money, asserted at every command in O(1) (BAL-2). invariants.ts checks the
// whole state.

import { assert } from '../../std/assert.ts';
import type { Exchange } from '../exchange.ts';

/**
 * The movements of the command must cancel out:
 *   Δ balances + Δ funds − Δ entry notional = Δ deposits, where the shortfall counts negative.
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
