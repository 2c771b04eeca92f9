// From the third version to the next: an index for every filter of a list, in the order in which
// the list gives its rows. A page then costs its rows, also for an account that has a million
// others.

import type { HistoryDatabase } from '../historyTables.ts';
import { createIndex, createMarketIndex, createNamedIndex, indexName } from './createTable.ts';

/** `named`: of the rows that have a client's name; `market`: first by account and market. */
type Index = {
  readonly table: string;
  readonly columns: string;
  readonly named?: true;
  readonly market?: true;
};

const byCreation = 'account createdAt id';
const byName = 'account clientOrderId';

/** The first two: queries/rowsOfParts.ts reads such lists in parts, one for each status. */
export const replacedIndexes: readonly Index[] = [
  { table: 'orders', columns: byCreation },
  { table: 'triggers', columns: byCreation },
  { table: 'orders', columns: byName, named: true },
  { table: 'triggers', columns: byName, named: true },
];

export const addedIndexes: readonly Index[] = [
  { table: 'orders', columns: 'account status createdAt id' },
  { table: 'orders', columns: 'account market status createdAt id' },
  { table: 'orders', columns: 'account clientOrderId createdAt id', named: true },
  { table: 'triggers', columns: 'account route status createdAt id' },
  { table: 'triggers', columns: 'account market route status createdAt id' },
  { table: 'triggers', columns: 'account clientOrderId createdAt id', named: true },
  { table: 'fills', columns: 'time ledgerId tradeId maker', market: true },
  { table: 'fills', columns: 'order time ledgerId market tradeId maker' },
  { table: 'ledger', columns: 'time id', market: true },
  { table: 'fundingPayments', columns: 'time id', market: true },
];

export async function indexFilters(database: HistoryDatabase): Promise<void> {
  for (const { table, columns, named, market } of addedIndexes) {
    const create =
      named === true ? createNamedIndex : market === true ? createMarketIndex : createIndex;
    await create(database, table, columns).execute();
  }
  for (const { table, columns } of replacedIndexes) {
    await database.schema.dropIndex(indexName(table, columns)).execute();
  }
}
