// The orders that have ended.

import type { Column } from '../components/Table.tsx';
import type { Order } from '../state/account.ts';
import type { RowSource } from '../state/backwardReader.ts';
import { plainText, scaledOf } from '../state/grid.ts';
import { grouping } from '../state/grouping.ts';
import type { Page } from '../state/page.ts';
import { historyMessages } from './historyMessages.ts';
import { historyTable } from './historyTable.tsx';
import { rowColumns } from './rowColumns.tsx';
import { tableMessages } from './tableMessages.ts';

type Words = Readonly<Record<string, string>>;

const wordOf = (words: Words, word: string): string => words[word] ?? word;

/** A market order has no price, an order without a fill no average. */
const priceOf = (text: string) =>
  scaledOf(text, 8) === 0n ? <span class="muted">–</span> : grouping(text);

/** An average has more decimals than a price of the market. */
const plainCut = (text: string, decimals: number): string =>
  plainText(scaledOf(text, decimals), decimals);

const columns: readonly Column<Order>[] = [
  rowColumns.time,
  rowColumns.market,
  rowColumns.side,
  {
    id: 'type',
    title: () => tableMessages().type,
    cell: ({ orig_type }) => wordOf(tableMessages().types, orig_type),
    plain: ({ orig_type }) => orig_type,
  },
  {
    id: 'price',
    title: () => tableMessages().price,
    isNumber: true,
    cell: ({ price }) => priceOf(price),
    plain: ({ price }) => price,
  },
  {
    id: 'average',
    title: () => historyMessages().average,
    isNumber: true,
    cell: ({ symbol, avg_price }, { markets }) => {
      const market = markets.value.find((each) => each.symbol === symbol);
      return priceOf(market === undefined ? avg_price : plainCut(avg_price, market.tick.decimals));
    },
    plain: ({ avg_price }) => avg_price,
  },
  {
    id: 'size',
    title: () => tableMessages().size,
    isNumber: true,
    cell: ({ orig_qty }) => grouping(orig_qty),
    plain: ({ orig_qty }) => orig_qty,
  },
  {
    id: 'filled',
    title: () => tableMessages().filled,
    isNumber: true,
    cell: ({ executed_qty }) => grouping(executed_qty),
    plain: ({ executed_qty }) => executed_qty,
  },
  {
    id: 'status',
    title: () => historyMessages().status,
    cell: ({ status, cancel_reason }) => {
      const { statuses, cancelReasons } = historyMessages();
      const why = cancel_reason === undefined ? '' : wordOf(cancelReasons, cancel_reason);
      return (
        <>
          {wordOf(statuses, status)}
          {why !== '' && <span class="muted"> · {why}</span>}
        </>
      );
    },
    plain: ({ status, cancel_reason }) =>
      cancel_reason === undefined ? status : `${status} ${cancel_reason}`,
  },
  {
    id: 'clientId',
    title: () => historyMessages().clientId,
    cell: ({ client_order_id }) => <span class="muted">{client_order_id}</span>,
    plain: ({ client_order_id }) => client_order_id,
  },
];

/** The exchange lists the orders of one status. */
const endings = ['FILLED', 'CANCELED', 'REJECTED'] as const;

const sourcesOf = ({ requests }: Page, symbol: string): readonly RowSource<Order>[] =>
  endings.map((status) => ({
    ask: (window) => requests.listNativeOrders({ status, ...window, ...(symbol && { symbol }) }),
    timeOf: ({ time }) => time,
    idOf: ({ order_id }) => order_id,
  }));

export const orderHistoryTable = historyTable<Order>({
  title: () => tableMessages().orderHistory,
  columns,
  sourcesOf,
  keyOf: ({ order_id }) => order_id,
  timeOf: ({ time }) => time,
  empty: () => historyMessages().noOrderHistory,
  rowOf: (news) => (news.kind === 'orderEnded' ? news.order : undefined),
});
