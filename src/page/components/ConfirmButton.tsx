// A small button for an act that cannot be taken back: the second click does it.

import { useEffect, useState } from 'preact/hooks';

export type ConfirmButtonProps = {
  readonly name: string;
  /** The name after the first click. */
  readonly question: string;
  readonly act: () => Promise<unknown>;
};

/** A first click counts for so long. */
const askedMs = 5000;

export function ConfirmButton({ name, question, act }: ConfirmButtonProps) {
  const [state, setState] = useState<'calm' | 'asked' | 'busy'>('calm');
  useEffect(() => {
    if (state !== 'asked') return;
    const timer = setTimeout(() => setState('calm'), askedMs);
    return () => clearTimeout(timer);
  }, [state]);
  const press = async (): Promise<void> => {
    if (state === 'calm') {
      setState('asked');
      return;
    }
    setState('busy');
    await act();
    setState('calm');
  };
  return (
    <button
      type="button"
      class={state === 'calm' ? 'button-small' : 'button-small button-danger'}
      disabled={state === 'busy'}
      onClick={() => void press()}
    >
      {state === 'calm' ? name : question}
    </button>
  );
}
