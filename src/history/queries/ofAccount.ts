// The rows of an account, on one market or on all, for tables whose key begins with the account.
// The index for one market begins with `account + 0` (migrations/indexFilters.ts), because SQLite,
// which knows nothing about the rows, would walk the key instead: it has the rows of all markets of
// the account in the same order.

import { type RawBuilder, sql } from 'kysely';
import type { AccountId, MarketId } from '../../units/units.ts';

export type Scope = {
  readonly account: AccountId;
  /** undefined: on every market. */
  readonly market?: MarketId | undefined;
};

export function ofAccount({ account, market }: Scope): RawBuilder<boolean> {
  if (market === undefined) return sql`account = ${account}`;
  return sql`account + 0 = ${account} and market = ${market}`;
}
