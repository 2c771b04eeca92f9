// The stops, take-profits and trailing stops that have fired or ended. The orders that they became
// are in the table of orders that have ended.

import type { Column } from '../components/Table.tsx';
import { tradingMessages } from '../messages/tradingMessages.ts';
import type { RowSource } from '../state/backwardReader.ts';
import { scaledOf } from '../state/grid.ts';
import { grouping } from '../state/grouping.ts';
import type { Page } from '../state/page.ts';
import type { Requests } from '../state/requests.ts';
import { dateText } from '../state/timeText.ts';
import { historyMessages } from './historyMessages.ts';
import { historyTable } from './historyTable.tsx';
import { orderMessages } from './orderMessages.ts';
import { rowColumns } from './rowColumns.tsx';
import { tableMessages } from './tableMessages.ts';

type Trigger = Awaited<ReturnType<Requests['listNativeTriggers']>>[number];
type Row = Trigger & { readonly time: number };

const isNothing = (text: string): boolean => scaledOf(text, 8) === 0n;

/** "0" stands for what the trigger does not have. */
const numberOf = (text: string) =>
  isNothing(text) ? <span class="muted">–</span> : grouping(text);

const columns: readonly Column<Row>[] = [
  rowColumns.time,
  rowColumns.market,
  rowColumns.side,
  {
    id: 'type',
    title: () => tableMessages().type,
    cell: ({ order_type }) => tradingMessages().triggerTypes[order_type],
    plain: ({ order_type }) => order_type,
  },
  {
    id: 'trigger',
    title: () => orderMessages().trigger,
    isNumber: true,
    cell: ({ trigger_price }) => numberOf(trigger_price),
    plain: ({ trigger_price }) => trigger_price,
  },
  {
    id: 'price',
    title: () => tableMessages().price,
    isNumber: true,
    cell: ({ price }) =>
      isNothing(price) ? <span class="muted">{orderMessages().atMarket}</span> : grouping(price),
    plain: ({ price }) => price,
  },
  {
    id: 'size',
    title: () => tableMessages().size,
    isNumber: true,
    cell: ({ close_position, quantity }) =>
      close_position ? (
        <span class="muted">{orderMessages().wholePosition}</span>
      ) : (
        numberOf(quantity)
      ),
    plain: ({ quantity }) => quantity,
  },
  {
    id: 'filled',
    title: () => tableMessages().filled,
    isNumber: true,
    cell: ({ executed_qty }) => numberOf(executed_qty),
    plain: ({ executed_qty }) => executed_qty,
  },
  {
    id: 'status',
    title: () => historyMessages().status,
    cell: ({ algo_status, failure }) => (
      <>
        {historyMessages().triggerStatuses[algo_status]}
        {failure !== undefined && <span class="muted"> · {failure.msg}</span>}
      </>
    ),
    plain: ({ algo_status, failure }) =>
      failure === undefined ? algo_status : `${algo_status} ${failure.msg}`,
  },
  {
    id: 'ended',
    title: () => historyMessages().ended,
    cell: ({ update_time }, { preferences }) => (
      <span class="muted">{dateText(update_time, preferences.clock.value)}</span>
    ),
    plain: ({ update_time }) => new Date(update_time).toISOString(),
  },
];

/** The exchange lists the triggers of one status. */
const endings = ['TRIGGERED', 'FINISHED', 'CANCELED', 'EXPIRED', 'FAILED'] as const;

const sourcesOf = ({ requests }: Page, symbol: string): readonly RowSource<Row>[] =>
  endings.map((status) => ({
    ask: async (window) => {
      const asked = { status, ...window, ...(symbol && { symbol }) };
      const rows = await requests.listNativeTriggers(asked);
      return rows.map((row) => ({ ...row, time: row.create_time }));
    },
    timeOf: ({ time }) => time,
    idOf: ({ algo_id }) => algo_id,
  }));

export const triggerHistoryTable = historyTable<Row>({
  title: () => tableMessages().triggerHistory,
  columns,
  sourcesOf,
  keyOf: ({ algo_id }) => algo_id,
  timeOf: ({ time }) => time,
  empty: () => historyMessages().noTriggerHistory,
});
