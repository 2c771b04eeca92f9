// Makes a tab of the tables at the bottom from its columns and rows: the table, its count, its CSV.

import type { ComponentType } from 'preact';
import { type Column, csvOf, Table } from '../components/Table.tsx';
import { usePage } from '../components/usePage.tsx';
import type { Page } from '../state/page.ts';
import { tableMessages } from './tableMessages.ts';

export type TableTab = {
  readonly id: string;
  /** In the shown language. */
  readonly title: () => string;
  /** Shown behind the title. */
  readonly count?: (page: Page) => number;
  readonly Content: ComponentType;
  /** The rows to save; undefined without rows. */
  readonly csv?: (page: Page) => string | undefined;
};

export type AccountTable<Row> = Pick<TableTab, 'id' | 'title'> & {
  readonly columns: readonly Column<Row>[];
  readonly rowsOf: (page: Page) => readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What stands there without rows. */
  readonly empty: () => string;
  /** Whether the tab shows how many rows there are. */
  readonly isCounted?: boolean;
};

export function accountTable<Row>(table: AccountTable<Row>): TableTab {
  const { id, title, columns, rowsOf, keyOf, empty, isCounted = false } = table;
  const Content = () => {
    const page = usePage();
    const hasLogin = page.session.login.value !== undefined;
    return (
      <Table
        label={title()}
        columns={columns}
        rows={rowsOf(page)}
        keyOf={keyOf}
        empty={hasLogin ? empty() : tableMessages().signIn}
      />
    );
  };
  return {
    id,
    title,
    Content,
    csv: (page) => {
      const rows = rowsOf(page);
      return rows.length === 0 ? undefined : csvOf(columns, rows);
    },
    ...(isCounted ? { count: (page: Page) => rowsOf(page).length } : {}),
  };
}
