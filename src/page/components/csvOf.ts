// The rows of a table as CSV.

import type { Column } from './Table.tsx';

/** The rows as CSV. A text that a spreadsheet would compute gets an apostrophe. */
export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const saved = columns.filter(({ plain }) => plain !== undefined);
  const head = saved.map(({ title }) => quoted(title())).join(',');
  const lines = rows.map((row) => saved.map(({ plain }) => quoted(plain?.(row) ?? '')).join(','));
  return [head, ...lines].join('\r\n');
}

const isComputed = /^[=+@\t\r]|^-(?![\d.])/;

const quoted = (text: string): string =>
  `"${(isComputed.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
