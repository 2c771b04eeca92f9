// The field in which a number of an order is changed: Enter sends it, Escape leaves it as it is.

import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import { tradingMessages } from '../messages/tradingMessages.ts';
import { typedProblem } from '../messages/typedProblem.ts';
import { amendOrder, amendTrigger } from '../state/amendOrder.ts';
import { gridText, stepsOf } from '../state/grid.ts';
import { fieldLengthMax, readTyped } from '../state/readTyped.ts';
import type { AmendCellProps } from './AmendCell.tsx';
import { orderMessages } from './orderMessages.ts';

export type AmendFieldProps = AmendCellProps & { readonly onClose: () => void };

export function AmendField({ row, market, value, grid, change, onClose }: AmendFieldProps) {
  const page = usePage();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(() => gridText(stepsOf(value, grid), grid));
  const [isBusy, setBusy] = useState(false);
  const text = orderMessages();
  useEffect(() => input.current?.select(), []);
  const read = readTyped(typed, grid);
  const send = async (): Promise<void> => {
    if (read.kind !== 'steps') {
      const said = typedProblem(read.kind, grid) || text.empty;
      page.notices.say({ kind: 'bad', title: tradingMessages().amendRefused, text: said });
      return;
    }
    const amendment = { market, ...change(read.steps) };
    const amend = (): Promise<boolean> =>
      row.order === undefined
        ? amendTrigger(page, row.trigger, amendment)
        : amendOrder(page, row.order, amendment);
    setBusy(true);
    const isDone = read.steps === stepsOf(value, grid) || (await amend());
    setBusy(false);
    if (isDone) onClose();
  };
  return (
    <form
      class="amend-field"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onFocusOut={(event) => {
        const next = event.relatedTarget;
        const isInside = next instanceof Node && event.currentTarget.contains(next);
        if (!isInside && !isBusy) onClose();
      }}
    >
      <input
        ref={input}
        name="value"
        type="text"
        inputMode="decimal"
        autocomplete="off"
        maxLength={fieldLengthMax}
        aria-label={text.newValue}
        aria-invalid={read.kind !== 'steps'}
        value={typed}
        readOnly={isBusy}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
      />
      <button type="submit" class="button-small" aria-label={text.send} disabled={isBusy}>
        ✓
      </button>
    </form>
  );
}
