// The ledger of a test's exchange, row by row (BAL-3): every row must lead from the balance before
// it to the one that it states, and the last row to the account's balance. The same holds for the
// insurance fund. Its rows without an event balance the difference, so that the check of the fund
// would be circular. Therefore these rows may be nothing but repaid shortfall and the rounding of a
// funding boundary.

import { balanceOf } from '../../src/engine/account.ts';
import type { Event } from '../../src/engine/event.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import { insuranceAccount } from '../../src/engine/marginModes.ts';
import { createLedger, type Ledger, ledgerOfStep } from '../../src/history/ledgerOfStep.ts';
import type { LedgerRow } from '../../src/history/rows.ts';

export type LedgerWatch = {
  readonly ledger: Ledger;
  /** Σ rows by account, 1e-6 USDT. */
  readonly sums: number[];
  /** Of the events that were taken last. */
  rows: readonly LedgerRow[];
  shortfall: number;
};

/** Of an exchange from its beginning. */
export function createLedgerWatch(): LedgerWatch {
  return { ledger: createLedger(0, createExchange(43113)), sums: [], rows: [], shortfall: 0 };
}

/** Takes the events of one step or several; gives the defects of their rows. */
export function watchLedger(
  watch: LedgerWatch,
  events: readonly Event[],
  exchange: Exchange,
): string[] {
  const failures: string[] = [];
  const rows = ledgerOfStep(watch.ledger, events, exchange);
  watch.rows = rows;
  for (const { id, account, amount, balance } of rows) {
    const sum = (watch.sums[account] ?? 0) + amount;
    if (sum !== balance) failures.push(`row ${id} of account ${account}: ${sum} is not ${balance}`);
    watch.sums[account] = sum;
  }
  for (const account of liveAccounts(exchange)) {
    const sum = watch.sums[account.id] ?? 0;
    const balance = balanceOf(account);
    if (sum !== balance) failures.push(`account ${account.id}: ${balance} is not ${sum} (BAL-3)`);
  }
  const rounded = unreportedIncome(watch, rows, { events, exchange });
  const payments = events.filter(({ kind }) => kind === 'fundingPaid').length;
  if (rounded < 0 || rounded > 2 * payments) {
    failures.push(`the fund gets ${rounded} of ${payments} payments of funding (FUND-2)`);
  }
  return failures;
}

/** Income of the fund without an event, before it repaid shortfall with it. */
function unreportedIncome(
  watch: LedgerWatch,
  rows: readonly LedgerRow[],
  { events, exchange }: { readonly events: readonly Event[]; readonly exchange: Exchange },
): number {
  let repaid = watch.shortfall - exchange.funds.shortfall;
  for (const event of events) if (event.kind === 'lossCovered') repaid += event.shortfall;
  watch.shortfall = exchange.funds.shortfall;
  const unreported = rows.filter(
    ({ account, event, market }) => account === insuranceAccount && event === 0 && market < 0,
  );
  return unreported.reduce((sum, { amount }) => sum + amount, repaid);
}

/** For tests that move money without a command: counts it as if rows had shown it. */
export function evenLedger(watch: LedgerWatch, exchange: Exchange): void {
  for (const account of liveAccounts(exchange)) watch.sums[account.id] = balanceOf(account);
}
