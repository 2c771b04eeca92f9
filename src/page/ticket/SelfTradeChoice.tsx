// What happens when the order meets an order of the same account (ORD-4).

import { type SelfTradeMode, selfTradeModes } from '../state/orderWish.ts';
import type { OrderFormState } from './orderFormState.ts';
import { ticketMessages } from './ticketMessages.ts';

export function SelfTradeChoice({ state: { draft, change, market } }: { state: OrderFormState }) {
  const text = ticketMessages();
  const usual = market.record.self_trade_prevention as SelfTradeMode;
  return (
    <details class="ticket-more">
      <summary>{text.more}</summary>
      <label class="ticket-line" title={text.selfTradeHint}>
        <span class="muted">{text.selfTrade}</span>
        <select
          name="self-trade"
          class="select"
          value={draft.selfTrade}
          onChange={(event) =>
            change({ selfTrade: event.currentTarget.value as SelfTradeMode | '' })
          }
        >
          <option value="">{text.asMarket(text.selfTrades[usual])}</option>
          {selfTradeModes.map((mode) => (
            <option key={mode} value={mode}>
              {text.selfTrades[mode]}
            </option>
          ))}
        </select>
      </label>
    </details>
  );
}
