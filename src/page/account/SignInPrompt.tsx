// What stands in the ticket before a login: the two ways to begin. With play money the shorter one
// comes first.

import { usePage } from '../components/usePage.tsx';
import { accountMessages } from './accountMessages.ts';
import { GuestButton } from './GuestButton.tsx';
import { useWalletDialog } from './useWalletDialog.ts';

export function SignInPrompt() {
  const { facts } = usePage();
  const { Shown, show, hide } = useWalletDialog();
  return (
    <div class="prompt">
      {facts.isTestnet && <GuestButton isMain />}
      <button
        type="button"
        class={facts.isTestnet ? 'button button-wide' : 'button button-main button-wide'}
        onClick={() => void show()}
      >
        {accountMessages().connectToTrade}
      </button>
      {Shown !== undefined && <Shown onClose={hide} />}
    </div>
  );
}
