// The account's fills, newest first.

import type { Column } from '../components/Table.tsx';
import { tradingMessages } from '../messages/tradingMessages.ts';
import type { Fill } from '../state/account.ts';
import { scaledOf } from '../state/grid.ts';
import { cut, grouping, signed } from '../state/grouping.ts';
import { dateText } from '../state/timeText.ts';
import { accountTable } from './accountTable.tsx';
import { MarketCell } from './MarketCell.tsx';
import { tableMessages } from './tableMessages.ts';

const columns: readonly Column<Fill>[] = [
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
    cell: ({ side }) => (
      <span class={side === 'BUY' ? 'up' : 'down'}>{tradingMessages().sides[side]}</span>
    ),
    plain: ({ side }) => side,
  },
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
    cell: ({ qty }) => grouping(qty),
    plain: ({ qty }) => qty,
  },
  {
    id: 'value',
    title: () => tableMessages().value,
    isNumber: true,
    cell: ({ quote_qty }) => cut(quote_qty, 2),
    plain: ({ quote_qty }) => quote_qty,
  },
  {
    id: 'fee',
    title: () => tableMessages().fee,
    isNumber: true,
    cell: ({ commission }) => cut(commission, 4),
    plain: ({ commission }) => commission,
  },
  {
    id: 'realized',
    title: () => tableMessages().realized,
    isNumber: true,
    cell: ({ realized_pnl }) => <Realized text={realized_pnl} />,
    plain: ({ realized_pnl }) => realized_pnl,
  },
  {
    id: 'role',
    title: () => tableMessages().role,
    cell: ({ maker }) => (maker ? tableMessages().maker : tableMessages().taker),
    plain: ({ maker }) => (maker ? 'maker' : 'taker'),
  },
];

function Realized({ text }: { text: string }) {
  const value = scaledOf(text, 2);
  if (value === 0n) return <span class="muted">–</span>;
  return <span class={value > 0n ? 'up' : 'down'}>{signed(value, 2)}</span>;
}

export const fillsTable = accountTable<Fill>({
  id: 'fills',
  title: () => tableMessages().fills,
  columns,
  rowsOf: ({ account }) => account.fills.value,
  keyOf: ({ symbol, id }) => `${symbol} ${id}`,
  empty: () => tableMessages().noFills,
});
