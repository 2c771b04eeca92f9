// What stands in the ticket before a login: the two ways to begin.

import { useState } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import { accountMessages } from './accountMessages.ts';
import { GuestButton } from './GuestButton.tsx';
import { WalletDialog } from './WalletDialog.tsx';

export function SignInPrompt() {
  const { facts } = usePage();
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="prompt">
      <button type="button" class="button button-main button-wide" onClick={() => setOpen(true)}>
        {accountMessages().signIn}
      </button>
      {facts.isTestnet && <GuestButton />}
      {isOpen && <WalletDialog onClose={() => setOpen(false)} />}
    </div>
  );
}
