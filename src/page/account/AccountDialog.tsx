// Who is signed in, for how long, the guest's key, and the way out.

import { useState } from 'preact/hooks';
import { Dialog } from '../components/Dialog.tsx';
import { usePage } from '../components/usePage.tsx';
import type { Login } from '../state/session.ts';
import { dateText } from '../state/timeText.ts';
import { guestKey } from '../wallet/openGuest.ts';
import { accountMessages } from './accountMessages.ts';

export function AccountDialog({ login, onClose }: { login: Login; onClose: () => void }) {
  const { session, preferences } = usePage();
  const [isCopied, setCopied] = useState(false);
  const text = accountMessages();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(login.address);
      setCopied(true);
    } catch {
      // The address stands there to be selected by hand.
    }
  };
  return (
    <Dialog title={text.account} onClose={onClose}>
      <dl class="account-facts">
        <dt>{text.address}</dt>
        <dd class="whole-text">{login.address}</dd>
        <dt>{text.wallet}</dt>
        <dd>{login.kind === 'guest' ? text.guestName : login.wallet}</dd>
      </dl>
      <p class="muted">{text.until(dateText(login.expiresAt * 1000, preferences.clock.value))}</p>
      {login.kind === 'guest' && <GuestKeyView />}
      <div class="account-acts">
        <button type="button" class="button" onClick={() => void copy()}>
          {isCopied ? text.copied : text.copy}
        </button>
        <button
          type="button"
          class="button"
          onClick={() => {
            session.end();
            onClose();
          }}
        >
          {text.disconnect}
        </button>
      </div>
    </Dialog>
  );
}

/** The key of the guest, after a click. */
function GuestKeyView() {
  const { options, facts } = usePage();
  const [isShown, setShown] = useState(false);
  const text = accountMessages();
  if (!isShown) {
    return (
      <button type="button" class="button" onClick={() => setShown(true)}>
        {text.exportKey}
      </button>
    );
  }
  return (
    <div class="guest-key">
      <p>{text.exportHint}</p>
      <label>
        <span class="hidden-text">{text.privateKey}</span>
        <textarea readonly rows={2} value={guestKey(options.store, facts.chainId) ?? ''} />
      </label>
    </div>
  );
}
