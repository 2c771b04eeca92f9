// The wallet of the browser with which a person has signed in, for what needs it again.

import type { Page } from '../state/page.ts';
import type { Login } from '../state/session.ts';
import type { InjectedWallet, Provider } from '../wallet/discoverWallets.ts';
import { signerOf } from '../wallet/signIn.ts';
import { WalletError } from '../wallet/walletError.ts';

/** Throws a `WalletError` when the browser does not have it any more. */
export function walletOfLogin({ options }: Page, login: Login): InjectedWallet {
  const wallet = options.wallets.value.find(({ name }) => name === login.wallet);
  if (wallet === undefined) throw new WalletError('absent');
  return wallet;
}

/**
 * Opens it: it is on the deployment's chain then, and shows the account that is signed in. Rejects
 * with a `WalletError`.
 */
export async function openWalletOfLogin(page: Page, login: Login): Promise<Provider> {
  const wallet = walletOfLogin(page, login);
  const { address } = await signerOf(wallet, page.facts.chainId);
  if (address.toLowerCase() !== login.address.toLowerCase()) throw new WalletError('otherAccount');
  return wallet.provider;
}
