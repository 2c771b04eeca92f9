// A table of rows. A long one draws only the rows that can be seen. A click on the head of a column
// sorts by it.

import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Page } from '../state/page.ts';
import { type Sorting, sortedRows, sortingAfter } from './sortedRows.ts';
import './table.css';
import { usePage } from './usePage.tsx';

export type Column<Row> = {
  readonly id: string;
  /** In the shown language. */
  readonly title: () => string;
  /** Numbers are aligned at their end. */
  readonly isNumber?: boolean;
  /** In sight also where the table is wider than its place. */
  readonly isStuck?: boolean;
  /** On a card it needs the width of two. */
  readonly isWide?: boolean;
  readonly cell: (row: Row, page: Page) => ComponentChildren;
  /** For CSV and for sorting; a column without it has neither. */
  readonly plain?: (row: Row) => string;
};

export type TableProps<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Where it has no room for rows each is a card, while there are few. */
  readonly hasCards?: boolean;
  readonly keyOf: (row: Row) => string;
  /** What stands there without rows. */
  readonly empty: ComponentChildren;
  /** What stands behind the last row. */
  readonly end?: ComponentChildren;
  /** The end of the table is in sight. */
  readonly onEnd?: () => void;
};

const rowHeight = 30;
/** Shorter tables are drawn whole. */
const wholeMax = 60;
/** Rows that are drawn above and below the visible ones. */
const spare = 10;

export function Table<Row extends object>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, empty, end, onEnd, hasCards = false } = props;
  const page = usePage();
  const box = useRef<HTMLElement>(null);
  const [view, setView] = useState({ top: 0, height: 400 });
  const [sorting, setSorting] = useState<Sorting>();
  const look = (): void => {
    const element = box.current;
    if (element === null) return;
    const { scrollTop: top, clientHeight: height, scrollHeight } = element;
    setView({ top, height });
    if (top > 0 && top + height + spare * rowHeight > scrollHeight) onEnd?.();
  };
  useLayoutEffect(look, []);
  const lineOf = useLines(columns, keyOf, page);
  const sorted = sortedRows(rows, columns, sorting);
  const isWhole = rows.length <= wholeMax;
  const first = isWhole ? 0 : Math.max(0, Math.floor(view.top / rowHeight) - spare);
  const count = isWhole ? rows.length : Math.ceil(view.height / rowHeight) + 2 * spare;
  const shown = sorted.slice(first, first + count);
  const below = Math.max(0, rows.length - first - shown.length);
  return (
    // A region that scrolls must be reachable by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
    <section class="table-box" ref={box} onScroll={look} tabIndex={0} aria-label={label}>
      <table class={hasCards && isWhole ? 'table table-cards' : 'table'}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head
                key={column.id}
                column={column}
                sorting={sorting}
                onSort={() => setSorting(sortingAfter(sorting, column))}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <Spacer rows={first} columns={columns.length} />}
          {shown.map(lineOf)}
          {below > 0 && <Spacer rows={below} columns={columns.length} />}
        </tbody>
      </table>
      {rows.length === 0 && <div class="table-empty">{empty}</div>}
      {end !== undefined && <div class="table-end">{end}</div>}
    </section>
  );
}

type HeadProps<Row> = {
  readonly column: Column<Row>;
  readonly sorting: Sorting | undefined;
  readonly onSort: () => void;
};

const classOf = <Row,>({ isNumber, isStuck, isWide }: Column<Row>): string =>
  [isNumber && 'number', isStuck && 'stuck', isWide && 'wide'].filter(Boolean).join(' ');

/** A column without a plain text cannot be sorted by. */
function Head<Row>({ column, sorting, onSort }: HeadProps<Row>) {
  const { id, title, plain } = column;
  const isSorted = sorting?.column === id;
  return (
    <th scope="col" class={classOf(column)} aria-sort={isSorted ? sorting.direction : undefined}>
      {plain === undefined ? (
        title()
      ) : (
        <button
          type="button"
          class="table-sort"
          data-direction={isSorted ? sorting.direction : undefined}
          onClick={onSort}
        >
          {title()}
        </button>
      )}
    </th>
  );
}

/** A row that is the same object as before is not drawn again. */
function useLines<Row extends object>(
  columns: readonly Column<Row>[],
  keyOf: (row: Row) => string,
  page: Page,
): (row: Row) => VNode {
  const drawn = useMemo(() => new WeakMap<Row, VNode>(), [columns, page]);
  return (row) => {
    const known = drawn.get(row);
    if (known !== undefined) return known;
    const line = <Line key={keyOf(row)} row={row} columns={columns} page={page} />;
    drawn.set(row, line);
    return line;
  };
}

type LineProps<Row> = {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly page: Page;
};

function Line<Row>({ row, columns, page }: LineProps<Row>) {
  return (
    <tr>
      {columns.map((column) => (
        <td key={column.id} class={classOf(column)} data-label={column.title()}>
          {column.cell(row, page)}
        </td>
      ))}
    </tr>
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
