// The list of hotkeys, opened by a button at the lower edge or by its own key.

import { useState } from 'preact/hooks';
import { Dialog } from '../components/Dialog.tsx';
import { usePage } from '../components/usePage.tsx';
import { tradingMessages } from '../messages/tradingMessages.ts';
import { cancelAll } from '../state/cancelOrder.ts';
import type { Page } from '../state/page.ts';
import './hotkeys.css';
import { hotkeyMessages } from './hotkeyMessages.ts';
import { hotkeyNames, hotkeys } from './hotkeys.ts';
import { useHotkeys } from './useHotkeys.ts';

async function cancelMarket(page: Page, symbol: string): Promise<void> {
  const problem = await cancelAll(page, { symbol, orders: true, triggers: true });
  if (problem === '') return;
  page.notices.say({ kind: 'bad', title: tradingMessages().allNotCancelled, text: problem });
}

export function HotkeyList() {
  const page = usePage();
  const [isOpen, setOpen] = useState(false);
  const text = hotkeyMessages();
  useHotkeys({
    list: () => setOpen(true),
    cancelAll: () => {
      const symbol = page.feed.value?.market.symbol;
      const hasLogin = page.session.login.value !== undefined;
      if (symbol !== undefined && hasLogin) void cancelMarket(page, symbol);
    },
  });
  return (
    <>
      <button type="button" class="footer-button" onClick={() => setOpen(true)}>
        {text.title}
      </button>
      {isOpen && (
        <Dialog title={text.title} onClose={() => setOpen(false)}>
          <p>{page.preferences.hotkeys.value ? text.on : text.off}</p>
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
      )}
    </>
  );
}
