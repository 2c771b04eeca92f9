// Asks the faucet of a testnet for play money. An exchange may have none.

import { useState } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import { failureText } from '../messages/failureText.ts';
import { cut } from '../state/grouping.ts';
import { accountMessages } from './accountMessages.ts';

export function FaucetButton({ isMain = false }: { isMain?: boolean }) {
  const page = usePage();
  const [isBusy, setBusy] = useState(false);
  const text = accountMessages();
  if (page.terms.value?.faucet === null) return null;
  const claim = async (): Promise<void> => {
    setBusy(true);
    try {
      const { amount } = await page.requests.claimFaucet();
      page.notices.say({ kind: 'good', title: text.faucetDone, text: `${cut(amount, 2)} USDT` });
    } catch (error) {
      page.notices.say({ kind: 'bad', title: text.faucetFailed, text: failureText(error) });
    }
    setBusy(false);
  };
  return (
    <button
      type="button"
      class={isMain ? 'button button-main' : 'button'}
      disabled={isBusy}
      onClick={() => void claim()}
    >
      {text.faucet}
    </button>
  );
}
