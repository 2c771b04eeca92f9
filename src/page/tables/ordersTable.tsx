// The open orders.

import type { Column } from '../components/Table.tsx';
import { tradingMessages } from '../messages/tradingMessages.ts';
import type { Order } from '../state/account.ts';
import { cancelOrder } from '../state/cancelOrder.ts';
import { grouping } from '../state/grouping.ts';
import { dateText } from '../state/timeText.ts';
import { ActButton } from './ActButton.tsx';
import { accountTable } from './accountTable.tsx';
import { MarketCell } from './MarketCell.tsx';
import { tableMessages } from './tableMessages.ts';

const toneOf = ({ side }: Pick<Order, 'side'>): string => (side === 'BUY' ? 'up' : 'down');

const typeOf = ({ type }: Order): string =>
  (tableMessages().types as Readonly<Record<string, string>>)[type] ?? type;

const conditionsOf = ({ time_in_force, reduce_only }: Order): string =>
  [time_in_force, ...(reduce_only ? [tableMessages().reduceOnly] : [])].join(' · ');

const columns: readonly Column<Order>[] = [
  {
    id: 'time',
    title: () => tableMessages().time,
    cell: ({ time }, { preferences }) => (
      <span class="muted">{dateText(time, preferences.clock.value)}</span>
    ),
    plain: ({ time }) => new Date(time).toISOString(),
  },
  {
    id: 'market',
    title: () => tableMessages().market,
    cell: ({ symbol, side }) => <MarketCell symbol={symbol} side={side} />,
    plain: ({ symbol }) => symbol,
  },
  {
    id: 'side',
    title: () => tableMessages().side,
    cell: (order) => <span class={toneOf(order)}>{tradingMessages().sides[order.side]}</span>,
    plain: ({ side }) => side,
  },
  { id: 'type', title: () => tableMessages().type, cell: typeOf, plain: ({ type }) => type },
  {
    id: 'price',
    title: () => tableMessages().price,
    isNumber: true,
    cell: ({ price }) => grouping(price),
    plain: ({ price }) => price,
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
    id: 'condition',
    title: () => tableMessages().condition,
    cell: conditionsOf,
    plain: conditionsOf,
  },
  {
    id: 'acts',
    title: () => tableMessages().acts,
    isNumber: true,
    cell: (order, page) => (
      <ActButton name={tableMessages().cancel} act={() => cancelOrder(page, order)} />
    ),
  },
];

export const ordersTable = accountTable<Order>({
  id: 'orders',
  title: () => tableMessages().orders,
  columns,
  rowsOf: ({ account }) => [...account.orders.value.values()].sort((a, b) => b.time - a.time),
  keyOf: ({ order_id }) => order_id,
  symbolOf: ({ symbol }) => symbol,
  empty: () => tableMessages().noOrders,
  isCounted: true,
});
