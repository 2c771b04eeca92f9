// Rows of the ledger that fills tell: they say nothing that the fill does not, but for their number
// and the balance after them. So the fill keeps those two, and the rows are not written.

import type { FillRow, LedgerRow, OwnLedgerRow } from './rows.ts';

type Placed = { -readonly [Field in keyof FillRow]: FillRow[Field] };

/**
 * Gives each of a step's fills, in the order of its events, its place among the step's rows of the
 * ledger. Gives the rows that no fill tells. `next` is the number after the last row.
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
  for (const { tradeId, ...row } of rows) if (tradeId === 0) own.push(row);
  return own;
}
