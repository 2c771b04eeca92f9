// The conditions of an order: what it may do, and how long it stays.

import { useId } from 'preact/hooks';
import { Check } from '../components/Check.tsx';
import { Problem } from '../components/Problem.tsx';
import { usePage } from '../components/usePage.tsx';
import type { DraftTime } from './draft.ts';
import type { OrderFormState } from './orderFormState.ts';
import { ticketMessages } from './ticketMessages.ts';

export function OrderOptions({ state }: { state: OrderFormState }) {
  const { draft, change, reading, refusal } = state;
  const text = ticketMessages();
  const { parts } = reading;
  return (
    <>
      <div class="ticket-options">
        {!parts.closesAll && (
          <Check
            label={text.reduceOnly}
            isOn={draft.reduceOnly}
            onTurn={(reduceOnly) => change({ reduceOnly })}
          />
        )}
        {parts.mayCloseAll && (
          <Check
            label={text.closesAll}
            isOn={draft.closesAll}
            onTurn={(closesAll) => change({ closesAll })}
          />
        )}
        {!draft.reduceOnly && !parts.closesAll && (
          <Check label={text.legs} isOn={draft.hasLegs} onTurn={(hasLegs) => change({ hasLegs })} />
        )}
        <TimeChoice state={state} />
      </div>
      <Problem text={refusal('reduceOnly')} />
      {parts.goodTill && <DateField state={state} />}
    </>
  );
}

function TimeChoice({ state: { draft, change, reading } }: { state: OrderFormState }) {
  const text = ticketMessages();
  const { times } = reading.parts;
  if (times.length === 0) return null;
  return (
    <select
      name="time-in-force"
      class="select"
      aria-label={text.timeInForce}
      title={text.times[draft.timeInForce]}
      value={draft.timeInForce}
      onChange={(event) => change({ timeInForce: event.currentTarget.value as DraftTime })}
    >
      {times.map((each) => (
        <option key={each} value={each} title={text.times[each]}>
          {text.timeNames[each]}
        </option>
      ))}
    </select>
  );
}

function DateField({ state: { draft, change, problem } }: { state: OrderFormState }) {
  const { preferences } = usePage();
  const id = useId();
  const text = ticketMessages();
  const said = problem('goodTill');
  return (
    <div class="field">
      <div class={said === '' ? 'field-box' : 'field-box field-wrong'}>
        <label class="field-label" for={id}>
          {text.goodTill(text.zones[preferences.clock.value])}
        </label>
        <input
          id={id}
          class="field-input"
          type="datetime-local"
          value={draft.goodTill}
          aria-invalid={said !== ''}
          aria-describedby={said === '' ? undefined : `${id}-problem`}
          onInput={(event) => change({ goodTill: event.currentTarget.value })}
        />
      </div>
      {said !== '' && (
        <p class="field-problem" id={`${id}-problem`}>
          {said}
        </p>
      )}
    </div>
  );
}
