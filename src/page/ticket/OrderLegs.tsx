// The take-profit and the stop-loss that an order brings (ATT-1), as prices or as distances from
// the price of the order, with what each would bring.

import { NumberField } from '../components/NumberField.tsx';
import { usePage } from '../components/usePage.tsx';
import { gridText } from '../state/grid.ts';
import { grouping, signed } from '../state/grouping.ts';
import { expectedLeg, type LegName, legTicks } from './legTicks.ts';
import { leverageOf } from './leverageOf.ts';
import type { OrderFormState } from './orderFormState.ts';
import { ticketMessages } from './ticketMessages.ts';

export function OrderLegs({ state }: { state: OrderFormState }) {
  const { draft, change, reading } = state;
  const text = ticketMessages();
  if (!reading.parts.legs) return null;
  return (
    <div class="ticket-legs">
      <fieldset class="choices" aria-label={text.legsAs}>
        {(['price', 'percent'] as const).map((each) => (
          <button
            key={each}
            type="button"
            class="choice"
            aria-pressed={draft.legsAs === each}
            // What was typed means something else then.
            onClick={() => change({ legsAs: each, takeProfit: '', stopLoss: '' })}
          >
            {text.legKinds[each]}
          </button>
        ))}
      </fieldset>
      <Leg state={state} name="takeProfit" />
      <Leg state={state} name="stopLoss" />
    </div>
  );
}

type LegProps = { readonly state: OrderFormState; readonly name: LegName };

function Leg({ state, name }: LegProps) {
  const { draft, change, reading, problem } = state;
  const text = ticketMessages();
  const limit = `${name}Price` as const;
  const hasLimit = reading.parts.legPrices;
  return (
    <>
      <div class="ticket-leg">
        <NumberField
          label={text[name]}
          value={draft[name]}
          onType={(typed) => change({ [name]: typed })}
          problem={problem(name)}
          {...(hasLimit ? {} : { unit: '%' })}
        />
        {hasLimit && (
          <NumberField
            label={text[limit]}
            value={draft[limit]}
            onType={(typed) => change({ [limit]: typed })}
            placeholder={text.atMarket}
            problem={problem(limit)}
          />
        )}
      </div>
      <p class="ticket-expected" data-as={draft.legsAs} title={text.expectedHint}>
        <Expected state={state} name={name} />
      </p>
    </>
  );
}

const centsPerMoney = 10_000n;

/** What the leg would bring; its place stays when there is nothing to say. */
function Expected({ state: { draft, reading, market }, name }: LegProps) {
  const page = usePage();
  const text = ticketMessages();
  const leverage = leverageOf(page, market);
  const expected = expectedLeg(name, draft, reading, { market, leverage });
  if (expected === undefined) return <>–</>;
  const { side, distance, profit, returned } = expected;
  const isBelow = returned < 0n;
  const price = (each: 'BUY' | 'SELL'): string => {
    const ticks = legTicks(name, each, draft, reading) ?? 0n;
    return `${text.sides[each]} ${grouping(gridText(ticks, market.tick))}`;
  };
  const where =
    draft.legsAs === 'price'
      ? `${text.sides[side]} ${signed(distance, 2)}%`
      : `${price('BUY')} · ${price('SELL')}`;
  return (
    <>
      <span>{where}</span>
      <span class={returned === 0n ? '' : isBelow ? 'down' : 'up'}>
        {profit !== undefined && `${signed(profit / centsPerMoney, 2)} `}
        {`(${signed(returned, 2)}%)`}
      </span>
    </>
  );
}
