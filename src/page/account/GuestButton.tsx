// Begins as a guest: one click makes a wallet in this browser and signs in.

import { useState } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import { accountMessages } from './accountMessages.ts';
import { connectGuest } from './connectWallet.ts';

export function GuestButton({ onDone }: { onDone?: () => void }) {
  const page = usePage();
  const text = accountMessages();
  const [isBusy, setBusy] = useState(false);
  const begin = async (): Promise<void> => {
    setBusy(true);
    const isIn = await connectGuest(page, () => true);
    setBusy(false);
    if (isIn) onDone?.();
  };
  return (
    <button type="button" class="button button-wide" disabled={isBusy} onClick={() => void begin()}>
      {isBusy ? text.making : text.guest}
    </button>
  );
}
