// The dialog in which a person chooses a wallet.

import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../components/Dialog.tsx';
import { usePage } from '../components/usePage.tsx';
import type { InjectedWallet } from '../wallet/discoverWallets.ts';
import './account.css';
import { accountMessages } from './accountMessages.ts';
import { connectWallet } from './connectWallet.ts';
import { GuestButton } from './GuestButton.tsx';
import { walletMessages } from './walletMessages.ts';

type Attempt = {
  /** The name of the wallet that is asked now. */
  readonly waitsFor: string | undefined;
  readonly choose: (wallet: InjectedWallet) => Promise<void>;
  readonly giveUp: () => void;
};

/** One attempt at a time: an answer to one that was given up changes nothing. */
function useAttempt(onDone: () => void): Attempt {
  const page = usePage();
  const [waitsFor, setWaitsFor] = useState<string>();
  const attempt = useRef(0);
  useEffect(() => {
    return () => {
      attempt.current += 1;
    };
  }, []);
  const choose = async (wallet: InjectedWallet): Promise<void> => {
    attempt.current += 1;
    const mine = attempt.current;
    setWaitsFor(wallet.name);
    const isIn = await connectWallet(page, wallet, () => attempt.current === mine);
    if (attempt.current !== mine) return;
    setWaitsFor(undefined);
    if (isIn) onDone();
  };
  const giveUp = (): void => {
    attempt.current += 1;
    setWaitsFor(undefined);
  };
  return { waitsFor, choose, giveUp };
}

export type WalletDialogProps = { readonly onClose: () => void };

export function WalletDialog({ onClose }: WalletDialogProps) {
  const page = usePage();
  const text = walletMessages();
  const { waitsFor, choose, giveUp } = useAttempt(onClose);
  const wallets = page.options.wallets.value;
  return (
    <Dialog title={accountMessages().connect} onClose={onClose}>
      {waitsFor === undefined ? (
        <div class="wallets">
          {wallets.map((wallet) => (
            <button
              key={wallet.id}
              type="button"
              class="wallet"
              onClick={() => void choose(wallet)}
            >
              {wallet.icon === '' ? (
                <span class="wallet-icon" aria-hidden="true" />
              ) : (
                <img class="wallet-icon" src={wallet.icon} alt="" />
              )}
              {wallet.name}
            </button>
          ))}
          {wallets.length === 0 && <p class="muted">{text.noWallets}</p>}
          {page.facts.isTestnet && (
            <>
              <GuestButton onDone={onClose} />
              <p class="muted">{text.guestHint}</p>
            </>
          )}
          <p class="muted">{text.why}</p>
        </div>
      ) : (
        <div class="wallets">
          <p role="status">{text.waiting(waitsFor)}</p>
          <button type="button" class="button" onClick={giveUp}>
            {text.giveUp}
          </button>
        </div>
      )}
    </Dialog>
  );
}
