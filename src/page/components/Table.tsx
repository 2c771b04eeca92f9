// A table of rows. A long one draws only the rows that can be seen. It can be saved as CSV.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Page } from '../state/page.ts';
import './table.css';
import { usePage } from './usePage.tsx';

export type Column<Row> = {
  readonly id: string;
  /** In the shown language. */
  readonly title: () => string;
  /** Numbers are aligned at their end. */
  readonly isNumber?: boolean;
  readonly cell: (row: Row, page: Page) => ComponentChildren;
  /** For CSV; a column without it is left out. */
  readonly plain?: (row: Row) => string;
};

export type TableProps<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What stands there without rows. */
  readonly empty: ComponentChildren;
};

const rowHeight = 30;
/** Shorter tables are drawn whole. */
const wholeMax = 60;
/** Rows that are drawn above and below the visible ones. */
const spare = 10;

export function Table<Row>({ label, columns, rows, keyOf, empty }: TableProps<Row>) {
  const page = usePage();
  const box = useRef<HTMLElement>(null);
  const [view, setView] = useState({ top: 0, height: 400 });
  const look = (): void => {
    const element = box.current;
    if (element === null) return;
    setView({ top: element.scrollTop, height: element.clientHeight });
  };
  useLayoutEffect(look, []);
  const isWhole = rows.length <= wholeMax;
  const first = isWhole ? 0 : Math.max(0, Math.floor(view.top / rowHeight) - spare);
  const count = isWhole ? rows.length : Math.ceil(view.height / rowHeight) + 2 * spare;
  const shown = rows.slice(first, first + count);
  const below = Math.max(0, rows.length - first - shown.length);
  return (
    // A region that scrolls must be reachable by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
    <section class="table-box" ref={box} onScroll={look} tabIndex={0} aria-label={label}>
      <table class="table">
        <thead>
          <tr>
            {columns.map(({ id, title, isNumber }) => (
              <th key={id} scope="col" class={isNumber ? 'number' : undefined}>
                {title()}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <Spacer rows={first} columns={columns.length} />}
          {shown.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ id, cell, isNumber }) => (
                <td key={id} class={isNumber ? 'number' : undefined}>
                  {cell(row, page)}
                </td>
              ))}
            </tr>
          ))}
          {below > 0 && <Spacer rows={below} columns={columns.length} />}
        </tbody>
      </table>
      {rows.length === 0 && <div class="table-empty">{empty}</div>}
    </section>
  );
}

/** Stands in for rows that are not drawn. */
function Spacer({ rows, columns }: { rows: number; columns: number }) {
  return (
    <tr>
      <td colSpan={columns} style={{ height: `${rows * rowHeight}px`, padding: 0 }} />
    </tr>
  );
}

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
