// Cancels all open orders, all triggers or both, of one market or of all, after a question.

import { useLoadedDialog } from '../components/useLoadedDialog.ts';
import { usePage } from '../components/usePage.tsx';
import { openRowsOf } from './openRow.ts';
import { orderMessages } from './orderMessages.ts';

/** A single row has a button of its own. */
const rowsLeast = 2;

/** `symbol` is empty for all markets. */
export function CancelAll({ symbol }: { symbol: string }) {
  const { Shown, show, hide } = useLoadedDialog(
    async () => (await import('./CancelAllQuestion.tsx')).CancelAllQuestion,
  );
  const rows = openRowsOf(usePage().account).filter(
    (row) => symbol === '' || row.symbol === symbol,
  );
  const orders = rows.filter(({ order }) => order !== undefined).length;
  const triggers = rows.length - orders;
  return (
    <>
      {rows.length >= rowsLeast && (
        <button type="button" class="button-small" onClick={() => void show()}>
          {orderMessages().cancelAll}
        </button>
      )}
      {Shown !== undefined && (
        <Shown symbol={symbol} orders={orders} triggers={triggers} onClose={hide} />
      )}
    </>
  );
}
