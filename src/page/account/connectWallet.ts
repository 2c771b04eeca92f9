// Signs a person in, with a wallet of the browser or as a guest, and says how it went.

import { failureText } from '../messages/failureText.ts';
import type { Page } from '../state/page.ts';
import type { InjectedWallet } from '../wallet/discoverWallets.ts';
import { openGuest } from '../wallet/openGuest.ts';
import { type Signer, signerOf, signIn } from '../wallet/signIn.ts';
import { shortAddress } from './shortAddress.ts';
import { walletMessages } from './walletMessages.ts';

/** Returns whether there is a login now. `isWanted`: whether the person still waits for it. */
export function connectWallet(
  page: Page,
  wallet: InjectedWallet,
  isWanted: () => boolean,
): Promise<boolean> {
  return connect(page, () => signerOf(wallet, page.facts.chainId), isWanted);
}

export function connectGuest(page: Page, isWanted: () => boolean): Promise<boolean> {
  const { store, fillRandom } = page.options;
  const { chainId } = page.facts;
  return connect(page, () => openGuest({ store, chainId, fillRandom }), isWanted);
}

async function connect(
  page: Page,
  open: () => Promise<Signer>,
  isWanted: () => boolean,
): Promise<boolean> {
  const { session, requests, notices } = page;
  const text = walletMessages();
  try {
    const login = await signIn(requests, await open());
    if (!isWanted()) return false;
    session.begin(login);
    notices.say({ kind: 'good', title: text.signedIn, text: shortAddress(login.address) });
    return true;
  } catch (error) {
    if (!isWanted()) return false;
    notices.say({ kind: 'bad', title: text.signInFailed, text: failureText(error) });
    return false;
  }
}
