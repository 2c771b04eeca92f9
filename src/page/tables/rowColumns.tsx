// Columns that several tables have: the time, the market and the side of a row.

import type { Column } from '../components/Table.tsx';
import { tradingMessages } from '../messages/tradingMessages.ts';
import { dateText } from '../state/timeText.ts';
import { MarketCell } from './MarketCell.tsx';
import { tableMessages } from './tableMessages.ts';

type Timed = { readonly time: number };
type Sided = { readonly symbol: string; readonly side: 'BUY' | 'SELL' };

const timeColumn: Column<Timed> = {
  id: 'time',
  title: () => tableMessages().time,
  cell: ({ time }, { preferences }) => (
    <span class="muted">{dateText(time, preferences.clock.value)}</span>
  ),
  plain: ({ time }) => new Date(time).toISOString(),
};

const marketColumn: Column<Sided> = {
  id: 'market',
  title: () => tableMessages().market,
  cell: ({ symbol, side }) => <MarketCell symbol={symbol} side={side} />,
  plain: ({ symbol }) => symbol,
};

const sideColumn: Column<Sided> = {
  id: 'side',
  title: () => tableMessages().side,
  cell: ({ side }) => (
    <span class={side === 'BUY' ? 'up' : 'down'}>{tradingMessages().sides[side]}</span>
  ),
  plain: ({ side }) => side,
};

export const rowColumns = { time: timeColumn, market: marketColumn, side: sideColumn } as const;
