// Money that came in and money that left: deposits and withdrawals.

import type { Column } from '../components/Table.tsx';
import { TransactionText } from '../components/TransactionText.tsx';
import type { RowSource } from '../state/backwardReader.ts';
import { cut } from '../state/grouping.ts';
import type { Page } from '../state/page.ts';
import { dateText } from '../state/timeText.ts';
import { historyMessages } from './historyMessages.ts';
import { historyTable } from './historyTable.tsx';
import { rowColumns } from './rowColumns.tsx';
import { tableMessages } from './tableMessages.ts';

type WithdrawalStatus = 'pending' | 'requested' | 'sent' | 'queued' | 'completed' | 'released';

const ended: ReadonlySet<string> = new Set(['credited', 'completed', 'released']);

type Transfer = {
  readonly id: string;
  readonly kind: 'deposit' | 'withdrawal';
  readonly status: 'credited' | WithdrawalStatus;
  /** On the chain; null: none, or not known. */
  readonly transaction: string | null;
  readonly amount: string;
  /** The operator's or the chain's words about a deposit; the wallet of a withdrawal. */
  readonly reference: string;
  readonly time: number;
  readonly endTime: number;
};

const columns: readonly Column<Transfer>[] = [
  rowColumns.time,
  {
    id: 'kind',
    title: () => historyMessages().kind,
    cell: ({ kind }) => historyMessages().transferKinds[kind],
    plain: ({ kind }) => kind,
  },
  {
    id: 'amount',
    title: () => `${historyMessages().amount} (USDT)`,
    isNumber: true,
    cell: ({ amount }) => cut(amount, 6),
    plain: ({ amount }) => amount,
  },
  {
    id: 'status',
    title: () => historyMessages().status,
    cell: ({ status }) => (
      <span class={ended.has(status) ? undefined : 'warn'}>
        {historyMessages().transferStatuses[status]}
      </span>
    ),
    plain: ({ status }) => status,
  },
  {
    id: 'end',
    title: () => historyMessages().ended,
    cell: ({ status, endTime }, { preferences }) => (
      <span class="muted">
        {ended.has(status) ? dateText(endTime, preferences.clock.value) : '–'}
      </span>
    ),
    plain: ({ status, endTime }) => (ended.has(status) ? new Date(endTime).toISOString() : ''),
  },
  {
    id: 'reference',
    title: () => historyMessages().reference,
    cell: ({ reference, transaction }) =>
      transaction === null ? (
        <span class="muted">{reference}</span>
      ) : (
        <TransactionText hash={transaction} />
      ),
    plain: ({ reference, transaction }) => transaction ?? reference,
  },
];

const order = { timeOf: ({ time }: Transfer) => time, idOf: ({ id }: Transfer) => id };

function sourcesOf({ requests }: Page): readonly RowSource<Transfer>[] {
  return [
    {
      ...order,
      ask: async (window) =>
        (await requests.listDeposits(window)).map(({ chain, ...row }) => ({
          ...row,
          kind: 'deposit',
          status: 'credited',
          transaction: chain?.transaction_hash ?? null,
          endTime: row.time,
        })),
    },
    {
      ...order,
      ask: async (window) =>
        (await requests.listWithdrawals(window)).map(({ address, update_time, chain, ...row }) => ({
          ...row,
          kind: 'withdrawal',
          status: chain?.status ?? row.status,
          transaction: chain?.transaction_hash ?? null,
          reference: address,
          endTime: update_time,
        })),
    },
  ];
}

export const transfersTable = historyTable<Transfer>({
  title: () => tableMessages().transfers,
  columns,
  sourcesOf,
  keyOf: ({ id }) => id,
  timeOf: ({ time }) => time,
  empty: () => historyMessages().noTransfers,
});
