// What stands in the ticket before a login: the two ways to begin.

import { usePage } from '../components/usePage.tsx';
import { accountMessages } from './accountMessages.ts';
import { GuestButton } from './GuestButton.tsx';
import { useWalletDialog } from './useWalletDialog.ts';

export function SignInPrompt() {
  const { facts } = usePage();
  const { Shown, show, hide } = useWalletDialog();
  return (
    <div class="prompt">
      <button type="button" class="button button-main button-wide" onClick={() => void show()}>
        {accountMessages().signIn}
      </button>
      {facts.isTestnet && <GuestButton />}
      {Shown !== undefined && <Shown onClose={hide} />}
    </div>
  );
}
