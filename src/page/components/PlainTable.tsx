// A short table in a dialog: it is drawn whole, and scrolls sideways where it is too wide.

import './table.css';
import type { TableProps } from './Table.tsx';
import { usePage } from './usePage.tsx';

export type PlainTableProps<Row> = Pick<
  TableProps<Row>,
  'label' | 'columns' | 'rows' | 'keyOf' | 'empty'
> & {
  /** The row that stands out. */
  readonly isMarked?: (row: Row) => boolean;
};

export function PlainTable<Row>(props: PlainTableProps<Row>) {
  const { label, columns, rows, keyOf, empty, isMarked } = props;
  const page = usePage();
  if (rows.length === 0) return <p class="muted">{empty}</p>;
  return (
    // A region that scrolls must be reachable by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
    <section class="plain-table" tabIndex={0} aria-label={label}>
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
          {rows.map((row) => (
            <tr key={keyOf(row)} class={isMarked?.(row) ? 'row-marked' : undefined}>
              {columns.map(({ id, cell, isNumber }) => (
                <td key={id} class={isNumber ? 'number' : undefined}>
                  {cell(row, page)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
