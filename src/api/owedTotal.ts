// What the exchange owes in all.

import type { Exchange } from '../engine/views/exchange.ts';
import { vaultFigures } from '../engine/views/vault.ts';

/**
 * The money of accounts, pending withdrawals, the fund, fees and what is parked, less the shortfall
 * (BAL-2): deposits less completed withdrawals, units of 1e-6.
 */
export function owedTotal(exchange: Exchange): bigint {
  const { deposits, withdrawals } = exchange.funds;
  return deposits + vaultFigures(exchange).parked - withdrawals;
}
