// Makes a table whose rows come from history: the newest first, earlier ones as the person scrolls,
// and what happens meanwhile.

import { computed, effect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Column, Table } from '../components/Table.tsx';
import { usePage } from '../components/usePage.tsx';
import { failureText } from '../messages/failureText.ts';
import { generalMessages } from '../messages/generalMessages.ts';
import type { AccountNews } from '../state/account.ts';
import type { RowSource } from '../state/backwardReader.ts';
import { createHistoryList, type HistoryList } from '../state/historyList.ts';
import type { Page } from '../state/page.ts';
import type { TabContentProps, TableTab } from './accountTable.tsx';
import { historyMessages } from './historyMessages.ts';
import { tableMessages } from './tableMessages.ts';

export type HistoryTable<Row extends object> = Pick<TableTab, 'title'> & {
  readonly columns: readonly Column<Row>[];
  /** Of one market, or of all when the symbol is empty. */
  readonly sourcesOf: (page: Page, symbol: string) => readonly RowSource<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly timeOf: (row: Row) => number;
  readonly empty: () => string;
  /** The row that this news is, if it is one of the table. */
  readonly rowOf?: (news: AccountNews) => (Row & { readonly symbol: string }) | undefined;
};

/** A busy account changes many times a second; its rows are read again at most this often. */
const refreshMs = 3000;

/** The content of a tab. */
export function historyTable<Row extends object>(table: HistoryTable<Row>): TableTab['Content'] {
  const { title, columns, sourcesOf, keyOf, timeOf, empty, rowOf } = table;

  const Rows = ({ symbol, csv }: TabContentProps) => {
    const page = usePage();
    // Without markets there is nothing to ask; all tables begin anew when the list changes.
    const symbols = page.markets.value.map((market) => market.symbol).join();
    const list = useMemo(
      () => createHistoryList({ sources: sourcesOf(page, symbol), keyOf, timeOf }),
      [page, symbol, symbols],
    );
    useEffect(() => {
      void list.readMore();
      const stop = page.onNews((news) => {
        const row = rowOf?.(news);
        if (row !== undefined && (symbol === '' || row.symbol === symbol)) list.add(row);
      });
      return () => {
        stop();
        list.close();
      };
    }, [list, page, symbol]);
    useRefresh(page, list);
    const rows = list.rows.value;
    csv.current = rows.length === 0 ? undefined : (write) => write(columns, rows);
    return (
      <Table
        label={title()}
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        empty={list.hasMore.value ? '' : empty()}
        end={<ListEnd list={list} />}
        onEnd={() => {
          if (list.hasMore.value && list.failure.value === undefined) void list.readMore();
        }}
      />
    );
  };

  return (props: TabContentProps) => {
    const login = usePage().session.login.value;
    if (login !== undefined) return <Rows key={login.address} {...props} />;
    const none: readonly Row[] = [];
    const { signIn } = tableMessages();
    return <Table label={title()} columns={columns} rows={none} keyOf={keyOf} empty={signIn} />;
  };
}

/** Every change of the account, and every new beginning of its copy, may bring rows. */
function useRefresh<Row>({ account }: Page, list: HistoryList<Row>): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;
    // The rest of the balance moves with every mark.
    const wallet = computed(() => account.balance.value?.balance);
    // A trailing stop moves with it, too.
    const waiting = computed(() => [...account.triggers.value.keys()].join());
    const stop = effect(() => {
      wallet.value;
      waiting.value;
      account.orders.value;
      if (!isFirst) {
        timer ??= setTimeout(() => {
          timer = undefined;
          void list.refresh();
        }, refreshMs);
      }
      isFirst = false;
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [account, list]);
}

function ListEnd<Row>({ list }: { list: HistoryList<Row> }) {
  const text = generalMessages();
  const failure = list.failure.value;
  if (list.isReading.value) return <span role="status">{text.reading}</span>;
  if (failure !== undefined) {
    return (
      <>
        <span role="alert">{failureText(failure)}</span>
        <button type="button" class="button-small" onClick={() => void list.readMore()}>
          {text.again}
        </button>
      </>
    );
  }
  if (!list.hasMore.value) return null;
  return (
    <button type="button" class="button-small" onClick={() => void list.readMore()}>
      {historyMessages().earlier}
    </button>
  );
}
