// A fill changes a balance by its profit and by its fee, and each change is a row of the ledger
// (BAL-3). Apart from their number and the balance after them, such rows repeat the fill, so they
// are not written. Instead the fill keeps the number of the first row and the balance after the
// last, and queries/ledgerQueries.ts makes the rows again for a query.

import type { FillRow, LedgerRow, OwnLedgerRow } from './rows.ts';

type Placed = { -readonly [Field in keyof FillRow]: FillRow[Field] };

/**
 * Sets the number and balance of each of a step's fills, in the order of its events, from the
 * step's rows of the ledger. Returns the rows that come from no fill; these are written. `next` is
 * the number after the last row.
 */
export function placeFills(
  fills: readonly Placed[],
  rows: readonly LedgerRow[],
  next: number,
): OwnLedgerRow[] {
  let at = 0;
  for (const fill of fills) {
    const count = (fill.pnl === 0 ? 0 : 1) + (fill.fee === 0 ? 0 : 1);
    while (count > 0 && rows[at]!.tradeId === 0) at += 1;
    fill.ledgerId = rows[at]?.id ?? next;
    at += count;
    if (count > 0) fill.balance = rows[at - 1]!.balance;
  }
  const own: OwnLedgerRow[] = [];
  for (const row of rows) if (row.tradeId === 0) own.push(ownRowOf(row));
  return own;
}

function ownRowOf({ tradeId, ...row }: LedgerRow): OwnLedgerRow {
  return row;
}
