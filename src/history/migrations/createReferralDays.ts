// The table of what has accrued for referrers, by UTC day (NAT-4d).

import type { HistoryDatabase } from '../historyTables.ts';
import { createTable, type DatabaseKind } from './createTable.ts';

export async function createReferralDays(
  database: HistoryDatabase,
  kind: DatabaseKind,
): Promise<void> {
  await createTable(database, kind, {
    name: 'referralDays',
    integers: 'account day amount',
    key: 'account day',
    rewritten: true,
  });
}
