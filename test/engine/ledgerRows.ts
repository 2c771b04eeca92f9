// The rows that an event is in the ledgers of accounts (BAL-3), so that tests can sum them up to the
// balances. The insurance fund has no ledger of rows: what rounds and what others lack ends there.

import type { Event } from '../../src/engine/event.ts';
import type { Fill } from '../../src/engine/fill.ts';
import type { AccountId } from '../../src/units/units.ts';

/** By how much an account's balance changed, signed, 1e-6 USDT. */
export type LedgerRow = { readonly account: AccountId; readonly amount: number };

export function ledgerRows(event: Event): readonly LedgerRow[] {
  switch (event.kind) {
    case 'credited':
    case 'profitRealized':
    case 'fundingPaid':
      return [{ account: event.account, amount: event.amount }];
    case 'profitShared':
    case 'liquidationFeePaid':
    case 'withdrawalRequested':
      return [{ account: event.account, amount: -event.amount }];
    case 'withdrawalResolved':
      return [{ account: event.account, amount: event.completed ? 0 : event.amount }];
    case 'positionSettled':
      return [{ account: event.account, amount: event.pnl }];
    case 'lossCovered': {
      const { account, fund, shared, shortfall } = event;
      return [{ account, amount: fund + shared + shortfall }];
    }
    case 'traded':
      return rowsOfFills(event.taker, event.maker);
    case 'takenOver':
      return rowsOfFills(event.account, event.fund);
    case 'deleveraged':
      return rowsOfFills(event.bankrupt, event.counterparty);
    default:
      return [];
  }
}

function rowsOfFills(...both: readonly Fill[]): readonly LedgerRow[] {
  return both.flatMap(({ account, pnl, fee }) => [
    { account, amount: pnl },
    { account, amount: 0 - fee },
  ]);
}
