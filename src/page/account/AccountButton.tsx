// The account at the top edge: the way in, or who is in.

import { useState } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import { AccountDialog } from './AccountDialog.tsx';
import './account.css';
import { accountMessages } from './accountMessages.ts';
import { shortAddress } from './connectWallet.ts';
import { WalletDialog } from './WalletDialog.tsx';

export function AccountButton() {
  const { session } = usePage();
  const [isOpen, setOpen] = useState(false);
  const text = accountMessages();
  const login = session.login.value;
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
      <button type="button" class="button" onClick={() => setOpen(true)}>
        {login.kind === 'guest' ? `${text.guestName} ` : ''}
        {shortAddress(login.address)}
      </button>
      {isOpen && <AccountDialog login={login} onClose={close} />}
    </>
  );
}
