// A number of an order that can be changed where it stands: a click or Enter opens it, Enter sends
// it, Escape leaves it as it is.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Grid } from '../../client/grid.ts';
import { usePage } from '../components/usePage.tsx';
import { tradingMessages } from '../messages/tradingMessages.ts';
import { typedProblem } from '../messages/typedProblem.ts';
import { gridText, stepsOf } from '../state/grid.ts';
import { grouping } from '../state/grouping.ts';
import { fieldLengthMax, readTyped } from '../state/readTyped.ts';
import { orderMessages } from './orderMessages.ts';

export type AmendCellProps = {
  /** As the wire has it. */
  readonly value: string;
  readonly grid: Grid;
  /** Resolves with whether the exchange took it. */
  readonly onAmend: (steps: bigint) => Promise<boolean>;
};

export function AmendCell(props: AmendCellProps) {
  const [isOpen, setOpen] = useState(false);
  const text = orderMessages();
  if (isOpen) return <AmendField {...props} onClose={() => setOpen(false)} />;
  return (
    <button type="button" class="amend" title={text.amend} onClick={() => setOpen(true)}>
      {grouping(props.value)}
    </button>
  );
}

function AmendField({ value, grid, onAmend, onClose }: AmendCellProps & { onClose: () => void }) {
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
    setBusy(true);
    const isDone = read.steps === stepsOf(value, grid) || (await onAmend(read.steps));
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
