// The take-profit and the stop-loss that an order brings (ATT-1).

import { NumberField } from '../components/NumberField.tsx';
import type { OrderFormState } from './orderFormState.ts';
import { ticketMessages } from './ticketMessages.ts';

export function OrderLegs({ state }: { state: OrderFormState }) {
  const { draft, change, reading, problem } = state;
  const text = ticketMessages();
  if (!reading.parts.legs) return null;
  const field = (name: 'takeProfit' | 'takeProfitPrice' | 'stopLoss' | 'stopLossPrice') => (
    <NumberField
      label={text[name]}
      value={draft[name]}
      onType={(typed) => change({ [name]: typed })}
      problem={problem(name)}
      {...(name.endsWith('Price') ? { placeholder: text.atMarket } : {})}
    />
  );
  return (
    <div class="ticket-legs">
      {field('takeProfit')}
      {field('takeProfitPrice')}
      {field('stopLoss')}
      {field('stopLossPrice')}
    </div>
  );
}
