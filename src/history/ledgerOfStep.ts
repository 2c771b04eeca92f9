// The ledger, made one step after the other (BAL-3): the rows of the step's events, numbered, each
// with the balance after it. It adds what the insurance fund got or paid without an event, so that
// the fund's rows sum up to its balance, as an account's do.

import type { Event } from '../engine/event.ts';
import { insuranceAccount } from '../engine/marginModes.ts';
import { balanceOf } from '../engine/views/account.ts';
import { accountById, type Exchange } from '../engine/views/exchange.ts';
import type { AccountId, Money } from '../units/units.ts';
import { entryOf, type LedgerEntry, ledgerRowsOf } from './ledgerRowsOf.ts';
import type { LedgerRow } from './rows.ts';

export type Ledger = {
  /** Rows so far. */
  rows: number;
  /** After the last step. */
  fundBalance: number;
  shortfall: number;
  /** Balances during the walk over the rows; empty between steps. */
  readonly balances: Map<AccountId, number>;
};

/** A ledger for an exchange in the state after the first `rows` rows. */
export function createLedger(rows: number, exchange: Exchange): Ledger {
  const balances = new Map<AccountId, number>();
  return { rows, ...fundOf(exchange), balances };
}

function fundOf(exchange: Exchange): Pick<Ledger, 'fundBalance' | 'shortfall'> {
  const fund = accountById(exchange, insuranceAccount)!;
  return { fundBalance: balanceOf(fund), shortfall: exchange.funds.shortfall };
}

/** The rows of a step in their order; the exchange is in the state after the step. */
export function ledgerOfStep(
  ledger: Ledger,
  events: readonly Event[],
  exchange: Exchange,
): readonly LedgerRow[] {
  const entries: LedgerEntry[] = [];
  let shortfallAdded = 0;
  for (const event of events) {
    ledgerRowsOf(event, entries);
    if (event.kind === 'lossCovered') shortfallAdded += event.shortfall;
  }
  addFundRows(ledger, entries, { shortfallAdded, ...fundOf(exchange) });
  placeEntries(ledger, entries, exchange);
  return entries;
}

/**
 *   repaid = shortfall before + what was added to it − shortfall after:
 * the fund's income repays the shortfall first (LIQ-4).
 *   rounded = balance after − balance before − Σ its rows + repaid:
 * from funding, where payers round up and receivers down (FUND-2).
 */
function addFundRows(
  ledger: Ledger,
  entries: LedgerEntry[],
  after: Pick<Ledger, 'fundBalance' | 'shortfall'> & { readonly shortfallAdded: number },
): void {
  const account = insuranceAccount;
  const repaid = ledger.shortfall + after.shortfallAdded - after.shortfall;
  let rounded = after.fundBalance - ledger.fundBalance + repaid;
  for (const entry of entries) if (entry.account === account) rounded -= entry.amount;
  ledger.fundBalance = after.fundBalance;
  ledger.shortfall = after.shortfall;
  if (rounded !== 0) {
    const kind = rounded > 0 ? 'insurance_income' : 'insurance_payment';
    entries.push(entryOf({ account, kind, amount: rounded }));
  }
  if (repaid !== 0) {
    entries.push(entryOf({ account, kind: 'insurance_payment', amount: -repaid }));
  }
}

/**
 * Numbers go forwards, balances backwards: the known balance of an account is the one at the end.
 */
function placeEntries(ledger: Ledger, entries: LedgerEntry[], exchange: Exchange): void {
  const { balances } = ledger;
  for (let i = entries.length - 1; i >= 0; i -= 1) {
    const entry = entries[i]!;
    const after = balances.get(entry.account) ?? balanceOf(accountById(exchange, entry.account)!);
    entry.id = ledger.rows + i + 1;
    entry.time = exchange.time;
    entry.balance = after as Money;
    balances.set(entry.account, after - entry.amount);
  }
  if (entries.length > 0) balances.clear();
  ledger.rows += entries.length;
}
