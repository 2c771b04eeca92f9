// Writes rows into a table of PostgreSQL by COPY, which takes half the time of any INSERT. The
// driver supports queries that handle COPY themselves, and this is one.

import type { Client, ClientBase, Submittable } from 'pg';
import type { TableName } from '../rows.ts';
import { type ColumnKind, quotedName, safeInteger, tables } from '../tables.ts';

/** What the driver's connection has for such a query beyond its types. */
type Wire = {
  readonly query: (text: string) => void;
  readonly sendCopyFromChunk: (chunk: Buffer) => void;
  readonly endCopyFrom: () => void;
  readonly sendCopyFail: (message: string) => void;
};

type Copy = Omit<Submittable, 'submit'> & {
  readonly submit: (wire: Wire) => void;
  /** The driver sets its own function before it, which ends the wait for the server. */
  callback: (error: Error | null) => void;
  readonly handleCopyInResponse: (wire: Wire) => void;
  readonly handleCommandComplete: () => void;
  readonly handleReadyForQuery: () => void;
  readonly handleError: (error: Error) => void;
};

/** Few enough that the server takes one chunk while the client makes the next. */
const rowsOfChunk = 500;

/** Rejects with the server's error, and with `Fault` for a number that history cannot hold. */
export function copyRows(
  client: ClientBase,
  name: TableName,
  rows: readonly object[],
): Promise<void> {
  const columns = Object.entries<ColumnKind>(tables[name].columns);
  const names = columns.map(([column]) => quotedName(column)).join(', ');
  const text = `copy ${quotedName(name)} (${names}) from stdin`;
  return new Promise((resolve, reject) => {
    let fault: Error | undefined;
    const copy: Copy = {
      submit: (wire) => wire.query(text),
      callback: (error) => (error === null ? resolve() : reject(fault ?? error)),
      handleCopyInResponse: (wire) => {
        try {
          for (let begin = 0; begin < rows.length; begin += rowsOfChunk) {
            wire.sendCopyFromChunk(linesOf(columns, rows.slice(begin, begin + rowsOfChunk)));
          }
          wire.endCopyFrom();
        } catch (error) {
          fault = error as Error;
          wire.sendCopyFail(fault.message);
        }
      },
      handleCommandComplete: () => {},
      handleReadyForQuery: () => copy.callback(null),
      handleError: (error) => copy.callback(error),
    };
    (client as Client).query(copy as unknown as Submittable);
  });
}

/** The rows as COPY reads them: a line each, cells separated by tabs. */
function linesOf(columns: readonly [string, ColumnKind][], rows: readonly object[]): Buffer {
  let lines = '';
  for (const row of rows) {
    let parting = '';
    for (const [column, kind] of columns) {
      lines += parting + cells[kind]((row as Record<string, never>)[column]!);
      parting = '\t';
    }
    lines += '\n';
  }
  return Buffer.from(lines);
}

const cells = {
  integer: (value: number): string => String(safeInteger(value)),
  boolean: (value: boolean): string => (value ? 't' : 'f'),
  text: (value: string): string => (special.test(value) ? escaped(value) : value),
};

const special = /[\\\t\n\r\0]/;

/** PostgreSQL's texts cannot contain the character with code 0. */
function escaped(value: string): string {
  return value.replace(/[\\\t\n\r]/g, (letter) => escapes[letter]!).replaceAll('\0', '\ufffd');
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};
