// The figures of one account that records show (BAL-1, MAR-4).

import type { Money } from '../../units/units.ts';
import { type Account, balanceOf } from '../account.ts';
import { equityOf, maintenanceOf } from '../clearing/margin.ts';
import type { Exchange } from '../exchange.ts';

export type AccountFigures = {
  /** Available plus frozen. */
  readonly balance: Money;
  readonly available: Money;
  readonly frozen: Money;
  /** Σ freezes of open orders. */
  readonly orderMargin: Money;
  /** Σ collateral of positions. */
  readonly positionMargin: Money;
  readonly unrealized: Money;
  readonly equity: Money;
  readonly maintenance: Money;
};

/** Cost: the account's markets. */
export function accountFigures(exchange: Exchange, account: Account): AccountFigures {
  const balance = balanceOf(account);
  const equity = equityOf(exchange, account);
  return {
    balance,
    available: account.available,
    frozen: (account.freezes + account.collateral) as Money,
    orderMargin: account.freezes,
    positionMargin: account.collateral,
    unrealized: (equity - balance) as Money,
    equity,
    maintenance: maintenanceOf(exchange, account),
  };
}
