// A small button in a row; it cannot be pressed twice while its act is under way.

import { useState } from 'preact/hooks';

export function ActButton({ name, act }: { name: string; act: () => Promise<unknown> }) {
  const [isBusy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    await act();
    setBusy(false);
  };
  return (
    <button type="button" class="button-small" disabled={isBusy} onClick={() => void run()}>
      {name}
    </button>
  );
}
