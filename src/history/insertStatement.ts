// The statement that writes rows of a table, as both databases read it.

import type { TableName } from './rows.ts';
import { databaseName, tables } from './tables.ts';

/**
 * Inserts what `source` (VALUES or SELECT, the columns in the order of tables.ts) gives; of a table
 * whose rows are written again, the later row replaces what may change.
 */
export function insertStatement(name: TableName, source: string): string {
  const { columns, key, changing } = tables[name];
  const names = Object.keys(columns).map(quote).join(', ');
  const insert = `insert into ${quote(name)} (${names}) ${source}`;
  if (changing.length === 0) return insert;
  const changes = changing.map(quote).map((column) => `${column} = excluded.${column}`);
  return `${insert} on conflict (${key.map(quote).join(', ')}) do update set ${changes.join(', ')}`;
}

const quote = (name: string): string => `"${databaseName(name)}"`;
