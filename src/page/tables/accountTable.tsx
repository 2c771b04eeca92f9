// Makes a tab of the tables at the bottom from its columns and rows: the table, its count, its CSV.

import type { ComponentType } from 'preact';
import type { csvOf } from '../components/csvOf.ts';
import { type Column, Table } from '../components/Table.tsx';
import { usePage } from '../components/usePage.tsx';
import type { Page } from '../state/page.ts';
import { tableMessages } from './tableMessages.ts';

export type TabContentProps = {
  /** The rows of this market alone; empty: of all markets. */
  readonly symbol: string;
  /** The table puts here how it is written; undefined without rows. */
  readonly csv: { current: ((write: typeof csvOf) => string) | undefined };
};

export type TableTab = {
  readonly id: string;
  /** In the shown language. */
  readonly title: () => string;
  /** Shown behind the title. */
  readonly count?: (page: Page) => number;
  /** Whether its rows are of markets. */
  readonly hasMarkets?: boolean;
  readonly Content: ComponentType<TabContentProps>;
  /** What can be done with all its rows, or with those of one market. */
  readonly Acts?: ComponentType<Pick<TabContentProps, 'symbol'>>;
};

export type AccountTable<Row extends object> = Pick<TableTab, 'id' | 'title' | 'Acts'> & {
  readonly columns: readonly Column<Row>[];
  readonly rowsOf: (page: Page) => readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What stands there without rows. */
  readonly empty: () => string;
  /** Whether the tab shows how many rows there are. */
  readonly isCounted?: boolean;
  /** Where it has no room for rows each is a card with all its figures, while there are few. */
  readonly hasCards?: boolean;
  /** The market of a row: the table can then show one market alone. */
  readonly symbolOf?: (row: Row) => string;
};

export function accountTable<Row extends object>(table: AccountTable<Row>): TableTab {
  const { id, title, columns, rowsOf, keyOf, empty, symbolOf, Acts } = table;
  const { isCounted = false, hasCards = false } = table;
  const Content = ({ symbol, csv }: TabContentProps) => {
    const page = usePage();
    const hasLogin = page.session.login.value !== undefined;
    const rows = rowsOf(page).filter((row) => symbol === '' || symbolOf?.(row) === symbol);
    csv.current = rows.length === 0 ? undefined : (write) => write(columns, rows);
    return (
      <Table
        label={title()}
        columns={columns}
        rows={rows}
        hasCards={hasCards}
        keyOf={keyOf}
        empty={hasLogin ? empty() : tableMessages().signIn}
      />
    );
  };
  return {
    id,
    title,
    Content,
    hasMarkets: symbolOf !== undefined,
    ...(Acts === undefined ? {} : { Acts }),
    ...(isCounted ? { count: (page: Page) => rowsOf(page).length } : {}),
  };
}
