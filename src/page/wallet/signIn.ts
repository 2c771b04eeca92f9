// The login with a wallet (AUTH-5): the exchange gives a text, the wallet signs it, the exchange
// gives a token.

import type { Requests } from '../state/requests.ts';
import type { Login } from '../state/session.ts';
import { askWallet } from './askWallet.ts';
import type { InjectedWallet } from './discoverWallets.ts';
import { switchChain } from './switchChain.ts';
import { WalletError } from './walletError.ts';

type Nonce = Awaited<ReturnType<Requests['getLoginNonce']>>;
export type TypedData = Nonce['typed_data'];

/** Something that signs as one address. */
export type Signer = {
  readonly address: string;
  readonly kind: Login['kind'];
  readonly wallet: string;
  readonly sign: (typedData: TypedData) => Promise<string>;
};

/** Asks the wallet for its account and brings it to the chain; rejects with a `WalletError`. */
export async function signerOf(wallet: InjectedWallet, chainId: number): Promise<Signer> {
  const { provider, name } = wallet;
  const accounts = await askWallet(provider, { method: 'eth_requestAccounts' });
  const [address] = Array.isArray(accounts) ? (accounts as readonly unknown[]) : [];
  if (typeof address !== 'string') throw new WalletError('noAccount');
  await switchChain(provider, chainId);
  return {
    address,
    kind: 'injected',
    wallet: name,
    sign: async (typedData) => {
      const params = [address, JSON.stringify(typedData)];
      const signature = await askWallet(provider, { method: 'eth_signTypedData_v4', params });
      if (typeof signature !== 'string') throw new WalletError('unusable', 'no signature');
      return signature;
    },
  };
}

export async function signIn(
  requests: Pick<Requests, 'getLoginNonce' | 'login'>,
  signer: Signer,
): Promise<Login> {
  const { address, kind, wallet } = signer;
  const { nonce, timestamp, typed_data } = await requests.getLoginNonce({ address });
  const signature = await signer.sign(typed_data);
  const { token, expires_at } = await requests.login({ address, nonce, timestamp, signature });
  return { address, kind, wallet, token, expiresAt: expires_at };
}
