// What positions paid and received at each boundary of funding.

import type { Column } from '../components/Table.tsx';
import { grouping, percentOf } from '../state/grouping.ts';
import type { Requests } from '../state/requests.ts';
import { Amount } from './Amount.tsx';
import { historyMessages } from './historyMessages.ts';
import { historyTable } from './historyTable.tsx';
import { MarketCell } from './MarketCell.tsx';
import { rowColumns } from './rowColumns.tsx';
import { tableMessages } from './tableMessages.ts';

type Payment = Awaited<ReturnType<Requests['listFundingPayments']>>[number];

const columns: readonly Column<Payment>[] = [
  rowColumns.time,
  {
    id: 'market',
    title: () => tableMessages().market,
    cell: ({ symbol, position_side }) => (
      <MarketCell symbol={symbol} side={position_side === 'LONG' ? 'BUY' : 'SELL'} />
    ),
    plain: ({ symbol }) => symbol,
  },
  {
    id: 'position',
    title: () => historyMessages().position,
    isNumber: true,
    cell: ({ position_size, position_side }) => (
      <span class={position_side === 'LONG' ? 'up' : 'down'}>
        {position_side === 'LONG' ? '' : '-'}
        {grouping(position_size)}
      </span>
    ),
    plain: ({ position_size, position_side }) =>
      position_side === 'LONG' ? position_size : `-${position_size}`,
  },
  {
    id: 'rate',
    title: () => historyMessages().rate,
    isNumber: true,
    cell: ({ funding_rate }) => percentOf(funding_rate),
    plain: ({ funding_rate }) => funding_rate,
  },
  {
    id: 'payment',
    title: () => historyMessages().payment,
    isNumber: true,
    cell: ({ funding_fee }) => <Amount text={funding_fee} decimals={4} />,
    plain: ({ funding_fee }) => funding_fee,
  },
];

export const fundingTable = historyTable<Payment>({
  title: () => tableMessages().funding,
  columns,
  sourcesOf: ({ requests }, symbol) => [
    {
      ask: (window) => requests.listFundingPayments({ ...window, ...(symbol && { symbol }) }),
      timeOf: ({ time }) => time,
      idOf: ({ tran_id }) => tran_id,
    },
  ],
  keyOf: ({ tran_id }) => tran_id,
  timeOf: ({ time }) => time,
  empty: () => historyMessages().noFunding,
});
