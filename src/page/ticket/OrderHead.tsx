// The head of the ticket: margin mode, leverage, and the type of the order.

import { Tabs } from '../components/Tabs.tsx';
import { usePage } from '../components/usePage.tsx';
import { changeMarginMode } from '../state/changeMarginMode.ts';
import { orderTypes } from './draft.ts';
import { LeverageField } from './LeverageField.tsx';
import type { OrderFormState } from './orderFormState.ts';
import { ticketMessages } from './ticketMessages.ts';

export function OrderHead({ state }: { state: OrderFormState }) {
  const { draft, change, market, refusal } = state;
  const text = ticketMessages();
  return (
    <>
      <div class="ticket-terms">
        <MarginMode />
        <LeverageField market={market} refusal={refusal('leverage')} />
      </div>
      <div class="panel-head">
        <Tabs
          label={text.type}
          items={orderTypes.map((id) => ({ id, label: text.types[id] }))}
          chosen={draft.type}
          onChoose={(type) => change({ type, timeInForce: 'GTC' })}
        />
      </div>
    </>
  );
}

const modes = ['cross', 'isolated', 'unified'] as const;

function MarginMode() {
  const page = usePage();
  const text = ticketMessages();
  const terms = page.terms.value;
  const hasLogin = page.session.login.value !== undefined;
  return (
    <select
      name="margin-mode"
      class="select"
      aria-label={text.mode}
      title={text.modeHint}
      disabled={!hasLogin || terms === undefined}
      value={terms?.margin_mode ?? 'cross'}
      onChange={async (event) => {
        const select = event.currentTarget;
        const mode = modes.find((each) => each === select.value);
        const isChanged = mode !== undefined && (await changeMarginMode(page, mode));
        if (!isChanged) select.value = page.terms.value?.margin_mode ?? 'cross';
      }}
    >
      {modes.map((mode) => (
        <option key={mode} value={mode}>
          {text.modes[mode]}
        </option>
      ))}
    </select>
  );
}
