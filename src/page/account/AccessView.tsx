// Who is signed in, for how long, the guest's key, and the way out.

import { useState } from 'preact/hooks';
import { CopyButton } from '../components/CopyButton.tsx';
import { usePage } from '../components/usePage.tsx';
import { dateText } from '../state/timeText.ts';
import { guestKey } from '../wallet/openGuest.ts';
import type { AccountViewProps } from './AccountDialog.tsx';
import { accessMessages } from './accessMessages.ts';
import { accountMessages } from './accountMessages.ts';

export function AccessView({ login, onClose }: AccountViewProps) {
  const { session, preferences, requests } = usePage();
  const text = accessMessages();
  const leave = (): void => {
    // The exchange ends the session too. Without an answer its token still ends with its time.
    requests.logout().catch(() => {});
    session.end();
    onClose();
  };
  return (
    <>
      <dl class="account-facts">
        <dt>{text.address}</dt>
        <dd class="whole-text">{login.address}</dd>
        <dt>{text.wallet}</dt>
        <dd>{login.kind === 'guest' ? accountMessages().guestName : login.wallet}</dd>
      </dl>
      <p class="muted">{text.until(dateText(login.expiresAt * 1000, preferences.clock.value))}</p>
      {login.kind === 'guest' && <GuestKeyView />}
      <div class="account-acts">
        <CopyButton text={login.address} name={text.copy} />
        <button type="button" class="button" onClick={leave}>
          {text.disconnect}
        </button>
      </div>
    </>
  );
}

/** The key of the guest, after a click. */
function GuestKeyView() {
  const { options, facts } = usePage();
  const [isShown, setShown] = useState(false);
  const text = accessMessages();
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
        <textarea
          name="private-key"
          readonly
          rows={2}
          value={guestKey(options.store, facts.chainId) ?? ''}
        />
      </label>
    </div>
  );
}
