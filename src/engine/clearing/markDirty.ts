// Records which accounts are out of date in the liquidation index (liquidationIndex.ts). It is a
// file of its own, because the ledger calls it and the index reads what the ledger keeps.

import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';

/**
 * To be called whenever equity or maintenance margin of an account may have changed, except by
 * marks.
 */
export function markDirty(exchange: Exchange, account: Account): void {
  if (account.dirty) return;
  account.dirty = true;
  exchange.dirty.push(account);
}
