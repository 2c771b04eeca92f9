// One side of a trade, or of another close of a position, as events contain it.

import type { AccountId, Lots, Money, OrderId } from '../units/units.ts';

/** One side of a trade. The ledger's rows of a trade are its pnl and its fee (BAL-3). */
export type Fill = {
  readonly account: AccountId;
  readonly order: OrderId;
  /** Realised PnL, before the fee. */
  readonly pnl: Money;
  /** The amount collected; negative for a rebate. */
  readonly fee: Money;
  /** The account's balance and position after the fill. */
  readonly balance: Money;
  readonly position: Lots;
};
