// The existing accounts, by number: without the numbers of forgotten ones (AUTH-5a).

import type { Account } from './account.ts';
import type { Exchange } from './exchange.ts';

/** Cost: a list as long as the accounts. */
export function liveAccounts({ accounts }: Pick<Exchange, 'accounts'>): Account[] {
  return accounts.filter((account): account is Account => account !== undefined);
}
