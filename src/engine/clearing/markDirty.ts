// Remembering whose place in the danger sets is out of date (danger.ts). Its own file, because the
// ledger calls it and the danger sets read what the ledger keeps.

import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';

/** To be called whenever equity or maintenance margin of an account may have changed but by marks. */
export function markDirty(exchange: Exchange, account: Account): void {
  if (account.dirty) return;
  account.dirty = true;
  exchange.dirty.push(account);
}
