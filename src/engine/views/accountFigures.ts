// The figures of one account that records show (BAL-1, MAR-4, MAR-7, LIQ-7).

import type { Money, Rate } from '../../units/units.ts';
import { availableToOpen } from '../clearing/initialMargin.ts';
import { equityOf, maintenanceOf } from '../clearing/margin.ts';
import { type Account, balanceOf } from './account.ts';
import type { Exchange } from './exchange.ts';
import { marginRatio } from './marginRatio.ts';
import { stateOf } from './stateOf.ts';

export type AccountFigures = {
  /** Available plus frozen. */
  readonly balance: Money;
  /** Balance less the collateral of isolated positions (BAL-1). */
  readonly crossBalance: Money;
  readonly available: Money;
  /**
   * What new orders can use: available, less the initial margin that equity no longer has (MAR-9).
   */
  readonly availableBalance: Money;
  readonly frozen: Money;
  /** Σ freezes of open orders. */
  readonly orderMargin: Money;
  /** Σ collateral of positions. */
  readonly positionMargin: Money;
  /** Σ unified-margin offsets: unified mode only (MAR-7). */
  readonly uncovered: Money;
  readonly unrealized: Money;
  readonly equity: Money;
  readonly maintenance: Money;
  /** Maintenance / equity over all positions, at most 100 (marginRatio.ts). */
  readonly marginRatio: Rate;
};

/** Cost: the account's markets. */
export function accountFigures(exchange: Exchange, account: Account): AccountFigures {
  const balance = balanceOf(account);
  const state = stateOf.exchange(exchange);
  const equity = equityOf(state, stateOf.account(account));
  const maintenance = maintenanceOf(state, stateOf.account(account));
  const isolated = account.marginMode === 'isolated' ? account.collateral : 0;
  return {
    balance,
    crossBalance: (balance - isolated) as Money,
    available: account.available,
    availableBalance: availableToOpen(state, stateOf.account(account)),
    frozen: (account.freezes + account.collateral) as Money,
    orderMargin: account.freezes,
    positionMargin: account.collateral,
    uncovered: account.uncovered,
    unrealized: (equity - balance) as Money,
    equity,
    maintenance,
    marginRatio: marginRatio(maintenance, equity),
  };
}
