// The switch of cancel on disconnect, with what it does: it is off until a person has read that.

import { useId, useState } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import { disconnectMessages } from '../messages/disconnectMessages.ts';
import { disconnectSwitchMessages } from './disconnectSwitchMessages.ts';
import './settings.css';

export function DisconnectSwitch() {
  const { disconnectGuard, session } = usePage();
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const text = disconnectSwitchMessages();
  const hasLogin = session.login.value !== undefined;
  const turn = async (isOn: boolean): Promise<void> => {
    setBusy(true);
    await disconnectGuard.turn(isOn);
    setBusy(false);
  };
  return (
    <div>
      <label class="setting">
        <span>{disconnectMessages().title}</span>
        <input
          name="cancel-on-disconnect"
          type="checkbox"
          checked={disconnectGuard.isWanted.value}
          disabled={isBusy || !hasLogin}
          aria-describedby={id}
          onChange={(event) => void turn(event.currentTarget.checked)}
        />
      </label>
      <div class="setting-text" id={id}>
        <p>
          {text.when} {text.lost}
        </p>
        <ul>
          {[text.ends, text.opens, text.stays].map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p>
          {text.ofTab} {!hasLogin && text.needsLogin}
        </p>
      </div>
    </div>
  );
}
