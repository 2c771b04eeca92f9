// A dialog that asks before something is done: what it is, and the two ways out.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../components/Dialog.tsx';
import { Problem } from '../components/Problem.tsx';
import { positionActMessages } from './positionActMessages.ts';

export type ActDialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  /** Resolves with what went wrong; empty closes the dialog. */
  readonly act: () => Promise<string>;
  /** The name of the button; by default that it is confirmed. */
  readonly name?: string;
  readonly children: ComponentChildren;
};

export function ActDialog({ title, onClose, act, name, children }: ActDialogProps) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const text = positionActMessages();
  const send = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    const found = await act();
    setBusy(false);
    setProblem(found);
    if (found === '') onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="act-form"
        onInput={() => setProblem('')}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {children}
        <Problem text={problem} />
        <div class="act-buttons">
          <button type="button" class="button" onClick={onClose}>
            {text.keep}
          </button>
          <button type="submit" class="button button-main" disabled={isBusy}>
            {name ?? text.confirm}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
