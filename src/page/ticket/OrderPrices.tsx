// The prices of an order: when it fires, how it trails, and its limit.

import type { ComponentChildren } from 'preact';
import { NumberField } from '../components/NumberField.tsx';
import { usePage } from '../components/usePage.tsx';
import { gridText } from '../state/grid.ts';
import { percentOf } from '../state/grouping.ts';
import type { Market } from '../state/market.ts';
import { readTyped } from '../state/readTyped.ts';
import type { Draft } from './draft.ts';
import type { OrderFormState } from './orderFormState.ts';
import { gridOfField } from './readDraft.ts';
import { ticketMessages } from './ticketMessages.ts';

export function OrderPrices({ state }: { state: OrderFormState }) {
  const { change, reading, market } = state;
  const text = ticketMessages();
  const { parts } = reading;
  return (
    <>
      {parts.trigger && (
        <>
          <PriceField
            state={state}
            field="trigger"
            label={text.trigger}
            title={text.triggerHint}
            unit={<MarkButton market={market} onPick={(trigger) => change({ trigger })} />}
          />
          <RunsAs state={state} />
        </>
      )}
      {parts.trails && <TrailingFields state={state} />}
      {parts.price && (
        <PriceField
          state={state}
          field="price"
          label={text.price}
          unit={<LastButton market={market} onPick={(price) => change({ price })} />}
        />
      )}
    </>
  );
}

/** How far from the mark a market order may fill. */
export function OrderSlippage({ state }: { state: OrderFormState }) {
  const { draft, change, reading, market, problem } = state;
  if (!reading.parts.slippage) return null;
  return (
    <NumberField
      label={ticketMessages().slippage}
      value={draft.slippage}
      onType={(slippage) => change({ slippage })}
      unit="%"
      placeholder={percentOf(market.record.max_market_slippage).slice(0, -1)}
      problem={problem('slippage')}
    />
  );
}

function TrailingFields({ state }: { state: OrderFormState }) {
  const { draft, change, market } = state;
  const text = ticketMessages();
  return (
    <>
      <NumberField
        label={text.callback}
        value={draft.callback}
        onType={(callback) => change({ callback })}
        unit="%"
        problem={state.problem('callback')}
        onStep={(direction) => change({ callback: steppedField('callback', state, direction) })}
      />
      <PriceField
        state={state}
        field="activation"
        label={text.activation}
        title={text.activationHint}
        placeholder={text.atOnce}
        unit={<MarkButton market={market} onPick={(activation) => change({ activation })} />}
      />
    </>
  );
}

function RunsAs({ state: { draft, change } }: { state: OrderFormState }) {
  const text = ticketMessages();
  return (
    <fieldset class="choices" aria-label={text.runsAs}>
      {(['MARKET', 'LIMIT'] as const).map((each) => (
        <button
          key={each}
          type="button"
          class="choice"
          aria-pressed={draft.runsAs === each}
          onClick={() => change({ runsAs: each, timeInForce: 'GTC' })}
        >
          {text.runs[each]}
        </button>
      ))}
    </fieldset>
  );
}

type PriceName = 'trigger' | 'activation' | 'price';

type PriceFieldProps = {
  readonly state: OrderFormState;
  readonly field: PriceName;
  readonly label: string;
  readonly unit: ComponentChildren;
  readonly title?: string;
  readonly placeholder?: string;
};

function PriceField({ state, field, label, unit, title, placeholder }: PriceFieldProps) {
  const { draft, change, problem } = state;
  return (
    <NumberField
      name={field}
      label={label}
      value={draft[field]}
      onType={(typed) => change({ [field]: typed })}
      unit={unit}
      problem={problem(field)}
      onStep={(direction) => change({ [field]: steppedField(field, state, direction) })}
      {...(title === undefined ? {} : { title })}
      {...(placeholder === undefined ? {} : { placeholder })}
    />
  );
}

/** What was typed, one step of its grid up or down. */
function steppedField(
  field: PriceName | 'callback',
  { draft, market }: { readonly draft: Draft; readonly market: Market },
  direction: 1 | -1,
): string {
  const grid = gridOfField(field, draft, market);
  const typed = readTyped(draft[field], grid);
  if (typed.kind !== 'steps') return draft[field];
  const next = typed.steps + BigInt(direction * (field === 'callback' ? 10 : 1));
  return next <= 0n ? draft[field] : gridText(next, grid);
}

type PickProps = { readonly market: Market; readonly onPick: (price: string) => void };

function LastButton({ market, onPick }: PickProps) {
  const page = usePage();
  const price = (): string | undefined =>
    page.feed.value?.last.value?.price ?? page.tickers.of(market.symbol).value?.last_price;
  return <PickButton name={ticketMessages().last} price={price} onPick={onPick} />;
}

function MarkButton({ market, onPick }: PickProps) {
  const { tickers } = usePage();
  const price = (): string | undefined => tickers.of(market.symbol).value?.mark_price;
  return <PickButton name={ticketMessages().markPrice} price={price} onPick={onPick} />;
}

type PickButtonProps = {
  readonly name: string;
  readonly price: () => string | undefined;
  readonly onPick: (price: string) => void;
};

function PickButton({ name, price, onPick }: PickButtonProps) {
  return (
    <button
      type="button"
      class="unit-button"
      onClick={() => {
        const found = price();
        if (found !== undefined) onPick(found);
      }}
    >
      {name}
    </button>
  );
}
