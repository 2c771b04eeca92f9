// The button at the lower edge that opens the list of hotkeys, and what a hotkey does anywhere.

import { useLoadedDialog } from '../components/useLoadedDialog.ts';
import { usePage } from '../components/usePage.tsx';
import { layoutMessages } from '../layout/layoutMessages.ts';
import { tradingMessages } from '../messages/tradingMessages.ts';
import { cancelAll } from '../state/cancelOrder.ts';
import type { Page } from '../state/page.ts';
// Styles of what is loaded later do not come with it.
import './hotkeys.css';
import { useHotkeys } from './useHotkeys.ts';

async function cancelMarket(page: Page, symbol: string): Promise<void> {
  const problem = await cancelAll(page, { symbol, orders: true, triggers: true });
  if (problem === '') return;
  page.notices.say({ kind: 'bad', title: tradingMessages().allNotCancelled, text: problem });
}

export function HotkeyButton() {
  const page = usePage();
  const { Shown, show, hide } = useLoadedDialog(
    async () => (await import('./HotkeyList.tsx')).HotkeyList,
  );
  useHotkeys({
    list: () => void show(),
    cancelAll: () => {
      const symbol = page.feed.value?.market.symbol;
      const hasLogin = page.session.login.value !== undefined;
      if (symbol !== undefined && hasLogin) void cancelMarket(page, symbol);
    },
  });
  return (
    <>
      <button type="button" class="footer-button" onClick={() => void show()}>
        {layoutMessages().hotkeys}
      </button>
      {Shown !== undefined && <Shown onClose={hide} />}
    </>
  );
}
