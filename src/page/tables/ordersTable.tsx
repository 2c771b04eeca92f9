// The open orders, and the triggers that wait. Prices and sizes can be changed in their cells.

import type { Grid } from '../../client/grid.ts';
import type { Column } from '../components/Table.tsx';
import { usePage } from '../components/usePage.tsx';
import type { Amendment } from '../state/amendOrder.ts';
import { cancelOrder, cancelTrigger } from '../state/cancelOrder.ts';
import { grouping } from '../state/grouping.ts';
import type { Market } from '../state/market.ts';
import type { Page } from '../state/page.ts';
import { ActButton } from './ActButton.tsx';
import { AmendCell } from './AmendCell.tsx';
import { accountTable } from './accountTable.tsx';
import { CancelAll } from './CancelAll.tsx';
import {
  conditionsOf,
  hasOwnSize,
  hasOwnTrigger,
  isWaitingLeg,
  type OpenRow,
  openRowsOf,
  typeOf,
} from './openRow.ts';
import { orderMessages } from './orderMessages.ts';
import { rowColumns } from './rowColumns.tsx';
import { tableMessages } from './tableMessages.ts';

const cancel = (page: Page, row: OpenRow): Promise<boolean> =>
  row.order === undefined ? cancelTrigger(page, row.trigger) : cancelOrder(page, row.order);

type AmendableProps = {
  readonly row: OpenRow;
  readonly value: string;
  readonly gridOf: (market: Market) => Grid;
  readonly change: (steps: bigint) => Amendment;
};

/** A number that can be changed, once its market is known. */
function Amendable({ row, value, gridOf, change }: AmendableProps) {
  const market = usePage().markets.value.find(({ symbol }) => symbol === row.symbol);
  if (market === undefined) return <>{grouping(value)}</>;
  return (
    <AmendCell row={row} market={market} value={value} grid={gridOf(market)} change={change} />
  );
}

const tickOf = ({ tick }: Market): Grid => tick;
const lotOf = ({ lot }: Market): Grid => lot;

function Price({ row }: { row: OpenRow }) {
  const { price } = row;
  if (price === undefined) return <span class="muted">{orderMessages().atMarket}</span>;
  return <Amendable row={row} value={price} gridOf={tickOf} change={(ticks) => ({ ticks })} />;
}

function TriggerPrice({ row }: { row: OpenRow }) {
  const { triggerPrice } = row;
  if (triggerPrice === undefined) return <span class="muted">–</span>;
  if (!hasOwnTrigger(row)) return <>{grouping(triggerPrice)}</>;
  const change = (triggerTicks: bigint): Amendment => ({ triggerTicks });
  return <Amendable row={row} value={triggerPrice} gridOf={tickOf} change={change} />;
}

function Size({ row }: { row: OpenRow }) {
  const { size } = row;
  if (size === undefined) return <span class="muted">{orderMessages().wholePosition}</span>;
  if (isWaitingLeg(row)) return <span class="muted">–</span>;
  if (!hasOwnSize(row)) return <>{grouping(size)}</>;
  return <Amendable row={row} value={size} gridOf={lotOf} change={(lots) => ({ lots })} />;
}

const columns: readonly Column<OpenRow>[] = [
  rowColumns.time,
  rowColumns.market,
  rowColumns.side,
  { id: 'type', title: () => tableMessages().type, cell: typeOf, plain: ({ type }) => type },
  {
    id: 'trigger',
    title: () => orderMessages().trigger,
    isNumber: true,
    cell: (row) => <TriggerPrice row={row} />,
    plain: ({ triggerPrice }) => triggerPrice ?? '',
  },
  {
    id: 'price',
    title: () => tableMessages().price,
    isNumber: true,
    cell: (row) => <Price row={row} />,
    plain: ({ price }) => price ?? '',
  },
  {
    id: 'size',
    title: () => tableMessages().size,
    isNumber: true,
    cell: (row) => <Size row={row} />,
    plain: ({ size }) => size ?? '',
  },
  {
    id: 'filled',
    title: () => tableMessages().filled,
    isNumber: true,
    cell: ({ filled }) => (filled === undefined ? <span class="muted">–</span> : grouping(filled)),
    plain: ({ filled }) => filled ?? '',
  },
  {
    id: 'condition',
    title: () => tableMessages().condition,
    isWide: true,
    cell: (row, { preferences }) => conditionsOf(row, preferences.clock.value),
    plain: (row) => conditionsOf(row, 'utc'),
  },
  {
    id: 'acts',
    title: () => tableMessages().acts,
    isNumber: true,
    isStuck: true,
    cell: (row, page) => <ActButton name={tableMessages().cancel} act={() => cancel(page, row)} />,
  },
];

export const ordersTable = accountTable<OpenRow>({
  id: 'orders',
  title: () => tableMessages().orders,
  columns,
  rowsOf: ({ account }) => openRowsOf(account),
  keyOf: ({ id }) => id,
  symbolOf: ({ symbol }) => symbol,
  empty: () => tableMessages().noOrders,
  isCounted: true,
  hasCards: true,
  Acts: CancelAll,
});
