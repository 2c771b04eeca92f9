// The account at the top edge: the way in, or who is in.

import { useEffect } from 'preact/hooks';
import { useLoadedDialog } from '../components/useLoadedDialog.ts';
import { usePage } from '../components/usePage.tsx';
import './account.css';
import { accountMessages } from './accountMessages.ts';
import { shortAddress } from './shortAddress.ts';
import { useWalletDialog } from './useWalletDialog.ts';

export function AccountButton() {
  const { session } = usePage();
  const wallets = useWalletDialog();
  const account = useLoadedDialog(async () => (await import('./AccountDialog.tsx')).AccountDialog);
  const text = accountMessages();
  const login = session.login.value;
  const hasLogin = login !== undefined;
  // The dialog of one login is not that of the next.
  useEffect(() => {
    if (!hasLogin) account.hide();
  }, [hasLogin]);
  if (login === undefined) {
    return (
      <>
        <button type="button" class="button button-main" onClick={() => void wallets.show()}>
          {text.connect}
        </button>
        {wallets.Shown !== undefined && <wallets.Shown onClose={wallets.hide} />}
      </>
    );
  }
  return (
    <>
      <button type="button" class="button" onClick={() => void account.show()}>
        {login.kind === 'guest' ? `${text.guestName} ` : ''}
        {shortAddress(login.address)}
      </button>
      {account.Shown !== undefined && <account.Shown login={login} onClose={account.hide} />}
    </>
  );
}
