// Cancels all open orders, all triggers or both, of one market or of all, after a question.

import { useState } from 'preact/hooks';
import { Check } from '../components/Check.tsx';
import { usePage } from '../components/usePage.tsx';
import { tradingMessages } from '../messages/tradingMessages.ts';
import { ActDialog } from '../positions/ActDialog.tsx';
import { cancelAll } from '../state/cancelOrder.ts';
import { openRowsOf } from './openRow.ts';
import { orderMessages } from './orderMessages.ts';

/** A single row has a button of its own. */
const rowsLeast = 2;

/** `symbol` is empty for all markets. */
export function CancelAll({ symbol }: { symbol: string }) {
  const [isOpen, setOpen] = useState(false);
  const rows = openRowsOf(usePage().account).filter(
    (row) => symbol === '' || row.symbol === symbol,
  );
  const orders = rows.filter(({ order }) => order !== undefined).length;
  const triggers = rows.length - orders;
  return (
    <>
      {rows.length >= rowsLeast && (
        <button type="button" class="button-small" onClick={() => setOpen(true)}>
          {orderMessages().cancelAll}
        </button>
      )}
      {isOpen && (
        <Question
          symbol={symbol}
          orders={orders}
          triggers={triggers}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

type QuestionProps = {
  readonly symbol: string;
  /** How many there are. */
  readonly orders: number;
  readonly triggers: number;
  readonly onClose: () => void;
};

function Question({ symbol, orders, triggers, onClose }: QuestionProps) {
  const page = usePage();
  const [wish, setWish] = useState({ orders: true, triggers: true });
  const text = orderMessages();
  const act = async (): Promise<string> =>
    wish.orders || wish.triggers ? cancelAll(page, { symbol, ...wish }) : text.chooseOne;
  return (
    <ActDialog
      title={text.cancelAllTitle(symbol || tradingMessages().allMarkets)}
      onClose={onClose}
      act={act}
      name={text.cancelAll}
    >
      <Check
        label={text.allOrders(orders)}
        isOn={wish.orders}
        onTurn={(isOn) => setWish({ ...wish, orders: isOn })}
      />
      <Check
        label={text.allTriggers(triggers)}
        isOn={wish.triggers}
        onTurn={(isOn) => setWish({ ...wish, triggers: isOn })}
      />
      {wish.triggers && triggers > 0 && <p class="act-warning">{text.allTriggersText}</p>}
      {wish.orders && !wish.triggers && <p class="muted">{text.programTriggers}</p>}
    </ActDialog>
  );
}
