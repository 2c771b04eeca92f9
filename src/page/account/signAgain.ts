// A fresh login with the wallet that is signed in: what outlives a login needs one (AUTH-12).

import type { Page } from '../state/page.ts';
import type { Login } from '../state/session.ts';
import { openGuest } from '../wallet/openGuest.ts';
import { type Signer, signerOf, signIn } from '../wallet/signIn.ts';
import { WalletError } from '../wallet/walletError.ts';
import { walletOfLogin } from './walletOfLogin.ts';

/** Rejects with a `WalletError`, or as the requests do. Nothing has changed then. */
export async function signAgain(page: Page): Promise<void> {
  const { session, requests } = page;
  const login = session.login.value;
  if (login === undefined) throw new WalletError('absent');
  const signer = await signerOfLogin(page, login);
  if (signer.address.toLowerCase() !== login.address.toLowerCase()) {
    throw new WalletError('otherAccount');
  }
  const fresh = await signIn(requests, signer);
  session.begin({ ...fresh, address: login.address });
}

async function signerOfLogin(page: Page, login: Login): Promise<Signer> {
  const { store, fillRandom } = page.options;
  const { chainId } = page.facts;
  if (login.kind === 'guest') return openGuest({ store, chainId, fillRandom });
  return signerOf(walletOfLogin(page, login), chainId);
}
