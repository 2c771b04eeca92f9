// The account at the top edge: the way in, or who is in.

import { useEffect, useState } from 'preact/hooks';
import { useLoadedDialog } from '../components/useLoadedDialog.ts';
import { usePage } from '../components/usePage.tsx';
import './account.css';
import { accountMessages } from './accountMessages.ts';
import { shortAddress } from './connectWallet.ts';
import { WalletDialog } from './WalletDialog.tsx';

export function AccountButton() {
  const { session } = usePage();
  const [isOpen, setOpen] = useState(false);
  const account = useLoadedDialog(async () => (await import('./AccountDialog.tsx')).AccountDialog);
  const text = accountMessages();
  const login = session.login.value;
  const hasLogin = login !== undefined;
  // The dialog of one login is not that of the next.
  useEffect(() => {
    if (!hasLogin) account.hide();
  }, [hasLogin]);
  const close = (): void => setOpen(false);
  if (login === undefined) {
    return (
      <>
        <button type="button" class="button button-main" onClick={() => setOpen(true)}>
          {text.connect}
        </button>
        {isOpen && <WalletDialog onClose={close} />}
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
