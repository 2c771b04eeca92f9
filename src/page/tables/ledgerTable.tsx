// Every change of the balance.

import type { Column } from '../components/Table.tsx';
import { cut } from '../state/grouping.ts';
import type { Requests } from '../state/requests.ts';
import { Amount } from './Amount.tsx';
import { historyMessages } from './historyMessages.ts';
import { historyTable } from './historyTable.tsx';
import { rowColumns } from './rowColumns.tsx';
import { tableMessages } from './tableMessages.ts';

type LedgerRow = Awaited<ReturnType<Requests['listLedger']>>[number];

const columns: readonly Column<LedgerRow>[] = [
  rowColumns.time,
  {
    id: 'kind',
    title: () => historyMessages().kind,
    cell: ({ kind }) => historyMessages().ledgerKinds[kind],
    plain: ({ kind }) => kind,
  },
  {
    id: 'market',
    title: () => tableMessages().market,
    cell: ({ symbol }) => symbol ?? <span class="muted">–</span>,
    plain: ({ symbol }) => symbol ?? '',
  },
  {
    id: 'amount',
    title: () => historyMessages().amount,
    isNumber: true,
    cell: ({ amount }) => <Amount text={amount} decimals={4} />,
    plain: ({ amount }) => amount,
  },
  {
    id: 'balance',
    title: () => historyMessages().balance,
    isNumber: true,
    cell: ({ balance }) => cut(balance, 4),
    plain: ({ balance }) => balance,
  },
  {
    id: 'id',
    title: () => historyMessages().transaction,
    cell: ({ tran_id }) => <span class="muted">{tran_id ?? '–'}</span>,
    plain: ({ tran_id }) => tran_id ?? '',
  },
];

export const ledgerTable = historyTable<LedgerRow>({
  title: () => tableMessages().ledger,
  columns,
  sourcesOf: ({ requests }, symbol) => [
    {
      ask: (window) => requests.listLedger({ ...window, ...(symbol && { symbol }) }),
      timeOf: ({ time }) => time,
      idOf: ({ id }) => id,
    },
  ],
  keyOf: ({ id }) => id,
  timeOf: ({ time }) => time,
  empty: () => historyMessages().noLedger,
});
