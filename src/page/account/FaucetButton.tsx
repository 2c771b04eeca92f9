// Asks the faucet of a testnet for play money.

import { useState } from 'preact/hooks';
import { ApiError } from '../../client/apiError.ts';
import { usePage } from '../components/usePage.tsx';
import { failureText } from '../messages/failureText.ts';
import { claimFaucet } from '../state/faucet.ts';
import { cut } from '../state/grouping.ts';
import { accountMessages } from './accountMessages.ts';

export function FaucetButton() {
  const page = usePage();
  const [isBusy, setBusy] = useState(false);
  const text = accountMessages();
  const claim = async (): Promise<void> => {
    setBusy(true);
    try {
      const { amount } = await claimFaucet(page);
      page.notices.say({ kind: 'good', title: text.faucetDone, text: `${cut(amount, 2)} USDT` });
    } catch (error) {
      const isMissing = error instanceof ApiError && error.status === 404;
      const why = isMissing ? text.faucetMissing : failureText(error);
      page.notices.say({ kind: 'bad', title: text.faucetFailed, text: why });
    }
    setBusy(false);
  };
  return (
    <button type="button" class="button" disabled={isBusy} onClick={() => void claim()}>
      {text.faucet}
    </button>
  );
}
