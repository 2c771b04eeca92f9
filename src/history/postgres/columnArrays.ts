// Rows as PostgreSQL takes many of them in one statement: an array for each column, written as its
// literal. That is faster than what the driver makes of JavaScript's arrays.

import { assert } from '../../std/assert.ts';
import { insertStatement } from '../insertStatement.ts';
import type { TableName } from '../rows.ts';
import { tables } from '../tables.ts';

const types = { integer: 'bigint', boolean: 'boolean', text: 'text' } as const;

/** The statement that takes the arrays of `columnArrays`. */
export function insertOf(name: TableName): string {
  const kinds = Object.values(tables[name].columns);
  const arrays = kinds.map((kind, index) => `$${index + 1}::${types[kind]}[]`);
  return insertStatement(name, `select * from unnest(${arrays.join(', ')})`);
}

/** The rows' columns as literals of arrays, in the order of the statement. */
export function columnArrays(name: TableName, rows: readonly object[]): string[] {
  return Object.entries(tables[name].columns).map(([column, kind]) => {
    const literal = literals[kind];
    let text = '';
    for (const row of rows) text += literal((row as Record<string, never>)[column]!);
    return `{${text.slice(1)}}`;
  });
}

/** An element with the comma before it. */
const literals = {
  integer: (value: number): string => {
    assert(Number.isSafeInteger(value), 'a number of history is a safe integer');
    return `,${value}`;
  },
  boolean: (value: boolean): string => (value ? ',t' : ',f'),
  text: (value: string): string => `,"${special.test(value) ? escaped(value) : value}"`,
};

const special = /["\\\0]/;

/** PostgreSQL's texts have no place for the character of code 0. */
function escaped(value: string): string {
  return value.replace(/["\\]/g, '\\$&').replaceAll('\0', '\ufffd');
}
