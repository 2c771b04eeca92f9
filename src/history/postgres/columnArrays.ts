// The new state of many existing rows in the form that PostgreSQL takes in one statement: an array
// for each column, written as its literal. This is faster than the driver's conversion of
// JavaScript arrays.

import type { ChangingTable } from '../rows.ts';
import { type ColumnKind, quotedName, safeInteger, tables } from '../tables.ts';

const types = { integer: 'bigint', boolean: 'boolean', text: 'text' } as const;

/** The columns of the statement: its key, then the columns that may change. */
function columnsOf(name: ChangingTable): readonly [string, ColumnKind][] {
  const { key, changing, columns } = tables[name];
  const kinds: Readonly<Record<string, ColumnKind>> = columns;
  return [...key, ...changing].map((column) => [column, kinds[column]!]);
}

/** The statement for the arrays of `columnArrays`. */
export function updateOf(name: ChangingTable): string {
  const { key, changing } = tables[name];
  const columns = columnsOf(name);
  const arrays = columns.map(([, kind], index) => `$${index + 1}::${types[kind]}[]`).join(', ');
  const names = columns.map(([column]) => quotedName(column)).join(', ');
  const set = changing.map(quotedName).map((column) => `${column} = given.${column}`);
  const same = key.map(quotedName).map((column) => `held.${column} = given.${column}`);
  return (
    `update ${quotedName(name)} held set ${set.join(', ')} ` +
    `from unnest(${arrays}) given (${names}) where ${same.join(' and ')}`
  );
}

/** The rows' columns as array literals, in the order of the statement. */
export function columnArrays(name: ChangingTable, rows: readonly object[]): string[] {
  return columnsOf(name).map(([column, kind]) => {
    const literal = literals[kind];
    let text = '';
    for (const row of rows) text += literal((row as Record<string, never>)[column]!);
    return `{${text.slice(1)}}`;
  });
}

/** An element with the comma before it. */
const literals = {
  integer: (value: number): string => `,${safeInteger(value)}`,
  boolean: (value: boolean): string => (value ? ',t' : ',f'),
  text: (value: string): string => `,"${special.test(value) ? escaped(value) : value}"`,
};

const special = /["\\\0]/;

/** PostgreSQL's texts cannot contain the character with code 0. */
function escaped(value: string): string {
  return value.replace(/["\\]/g, '\\$&').replaceAll('\0', '\ufffd');
}
