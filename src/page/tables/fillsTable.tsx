// The account's fills of all times.

import type { Column } from '../components/Table.tsx';
import type { Fill } from '../state/account.ts';
import type { RowSource } from '../state/backwardReader.ts';
import { cut, grouping } from '../state/grouping.ts';
import type { Page } from '../state/page.ts';
import { Amount } from './Amount.tsx';
import { historyMessages } from './historyMessages.ts';
import { historyTable } from './historyTable.tsx';
import { rowColumns } from './rowColumns.tsx';
import { tableMessages } from './tableMessages.ts';

const columns: readonly Column<Fill>[] = [
  rowColumns.time,
  rowColumns.market,
  rowColumns.side,
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
    title: () => historyMessages().fee,
    isNumber: true,
    cell: ({ commission }) => cut(commission, 4),
    plain: ({ commission }) => commission,
  },
  {
    id: 'realized',
    title: () => historyMessages().realized,
    isNumber: true,
    cell: ({ realized_pnl }) => <Amount text={realized_pnl} />,
    plain: ({ realized_pnl }) => realized_pnl,
  },
  {
    id: 'role',
    title: () => historyMessages().role,
    cell: ({ maker }) => (maker ? historyMessages().maker : historyMessages().taker),
    plain: ({ maker }) => (maker ? 'maker' : 'taker'),
  },
];

/** The exchange lists the fills of one market. */
function sourcesOf({ requests, markets }: Page, chosen: string): readonly RowSource<Fill>[] {
  const symbols = chosen === '' ? markets.value.map(({ symbol }) => symbol) : [chosen];
  return symbols.map((symbol) => ({
    ask: async ({ from, ...window }) =>
      (await requests.listFills({
        symbol,
        ...window,
        ...(from === undefined ? {} : { from: Number(from) }),
      })) as unknown as readonly Fill[],
    timeOf: ({ time }) => time,
    idOf: ({ id }) => String(id),
  }));
}

/** Digits of a number of a trade, so that keys sort like numbers. */
const idDigits = 16;

export const fillsTable = historyTable<Fill>({
  title: () => tableMessages().fills,
  columns,
  sourcesOf,
  // A trade with oneself has two fills of one number.
  keyOf: ({ symbol, id, side }) => `${symbol} ${String(id).padStart(idDigits, '0')} ${side}`,
  timeOf: ({ time }) => time,
  empty: () => historyMessages().noFills,
  rowOf: (news) => (news.kind === 'fill' ? news.fill : undefined),
});
