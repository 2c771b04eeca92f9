// Asks what of the open orders and triggers is to be cancelled, and cancels it.

import { useState } from 'preact/hooks';
import { Check } from '../components/Check.tsx';
import { usePage } from '../components/usePage.tsx';
import { tradingMessages } from '../messages/tradingMessages.ts';
import { ActDialog } from '../positions/ActDialog.tsx';
import { cancelAll } from '../state/cancelOrder.ts';
import { cancelAllMessages } from './cancelAllMessages.ts';
import { orderMessages } from './orderMessages.ts';

export type CancelAllQuestionProps = {
  /** Empty for all markets. */
  readonly symbol: string;
  /** How many there are. */
  readonly orders: number;
  readonly triggers: number;
  readonly onClose: () => void;
};

export function CancelAllQuestion({ symbol, orders, triggers, onClose }: CancelAllQuestionProps) {
  const page = usePage();
  const [wish, setWish] = useState({ orders: true, triggers: true });
  const text = cancelAllMessages();
  const act = async (): Promise<string> =>
    wish.orders || wish.triggers ? cancelAll(page, { symbol, ...wish }) : text.chooseOne;
  return (
    <ActDialog
      title={text.cancelAllTitle(symbol || tradingMessages().allMarkets)}
      onClose={onClose}
      act={act}
      name={orderMessages().cancelAll}
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
