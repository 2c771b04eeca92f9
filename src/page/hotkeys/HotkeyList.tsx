// The list of hotkeys.

import { Dialog } from '../components/Dialog.tsx';
import { usePage } from '../components/usePage.tsx';
import './hotkeys.css';
import { hotkeyMessages } from './hotkeyMessages.ts';
import { hotkeyNames, hotkeys } from './hotkeys.ts';

export function HotkeyList({ onClose }: { onClose: () => void }) {
  const { preferences } = usePage();
  const text = hotkeyMessages();
  return (
    <Dialog title={text.title} onClose={onClose}>
      <p>{preferences.hotkeys.value ? text.on : text.off}</p>
      <dl class="hotkeys">
        {hotkeyNames.map((name) => (
          <div key={name}>
            <dt>
              <kbd>{hotkeys[name]}</kbd>
            </dt>
            <dd>{text.names[name]}</dd>
          </div>
        ))}
      </dl>
      <p class="muted">{text.inFields}</p>
      <p class="muted">{text.always}</p>
    </Dialog>
  );
}
