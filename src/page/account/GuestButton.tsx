// Begins as a guest: one click makes a wallet in this browser and signs in.

import { useState } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import { failureText } from '../messages/failureText.ts';
import { loadPart } from '../state/loadPart.ts';
import type { Page } from '../state/page.ts';
import { accountMessages } from './accountMessages.ts';

type GuestButtonProps = {
  readonly onDone?: () => void;
  /** Whether it is what a visitor should press. */
  readonly isMain?: boolean;
};

export function GuestButton({ onDone, isMain = false }: GuestButtonProps) {
  const page = usePage();
  const text = accountMessages();
  const [isBusy, setBusy] = useState(false);
  const begin = async (): Promise<void> => {
    setBusy(true);
    const isIn = await beginAsGuest(page);
    setBusy(false);
    if (isIn) onDone?.();
  };
  return (
    <button
      type="button"
      class={isMain ? 'button button-main button-wide' : 'button button-wide'}
      disabled={isBusy}
      onClick={() => void begin()}
    >
      {isBusy ? text.making : text.guest}
    </button>
  );
}

/** What signs in is loaded now. */
async function beginAsGuest(page: Page): Promise<boolean> {
  try {
    const { connectGuest } = await loadPart(page.options, () => import('./connectWallet.ts'));
    return await connectGuest(page, () => true);
  } catch (error) {
    page.notices.say({ kind: 'bad', title: failureText(error), text: '' });
    return false;
  }
}
