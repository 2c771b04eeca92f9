// A wallet that announces itself to the page (EIP-6963) and signs with a key of the test. It has
// the habits of real ones, good and bad.

import type { Page } from 'playwright-core';
import type { Wallet } from '../identity/wallet.ts';

export type WalletHabit =
  | 'signs'
  /** The person declines to sign. */
  | 'refuses'
  /** It signs, and the person declines to send. */
  | 'declinesToPay'
  /** It says that it has switched, and has not. */
  | 'staysOnItsChain'
  | 'answersNonsense'
  | 'neverAnswers';

export type InjectWallet = {
  readonly wallet: Wallet;
  readonly name: string;
  /** Where it is before it is asked to switch. */
  readonly chainId: number;
  readonly habit?: WalletHabit;
  /** Its node, which sends for any address without a key; undefined: it has none. */
  readonly rpc?: string;
};

export async function injectWallet(page: Page, options: InjectWallet): Promise<void> {
  const { wallet, name, chainId, habit = 'signs', rpc } = options;
  await page.exposeFunction('signAsWallet', (typedData: string) => {
    const { message } = JSON.parse(typedData) as {
      readonly message: { readonly nonce: string; readonly timestamp: number };
    };
    const { nonce, timestamp } = message;
    return wallet.sign({ chainId: 43113, address: wallet.address, nonce, timestamp });
  });
  await page.exposeFunction('askChain', async (method: string, params: readonly unknown[]) => {
    if (rpc === undefined) throw new Error(`no method ${method}`);
    const response = await fetch(rpc, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as {
      readonly result?: unknown;
      readonly error?: { readonly message: string };
    };
    if (error !== undefined) throw new Error(error.message);
    return result;
  });
  await page.addInitScript(
    ({ address, name: walletName, first, how }) => {
      let chain = first;
      const provider = {
        request: async ({ method, params }: { method: string; params?: readonly unknown[] }) => {
          switch (method) {
            case 'eth_requestAccounts':
              if (how === 'neverAnswers') return new Promise(() => {});
              return [address];
            case 'eth_chainId':
              return `0x${chain.toString(16)}`;
            case 'wallet_switchEthereumChain':
              if (how !== 'staysOnItsChain') {
                const [to] = params as [{ readonly chainId: string }];
                chain = Number(to.chainId);
              }
              return null;
            case 'eth_signTypedData_v4': {
              if (how === 'refuses') throw Object.assign(new Error('no'), { code: 4001 });
              if (how === 'answersNonsense') return '0x12';
              const [, typedData] = params as [string, string];
              // A wallet refuses what names another chain than its own.
              const { domain } = JSON.parse(typedData) as { domain: { chainId: number } };
              if (domain.chainId !== chain) throw new Error('another chain');
              const { signAsWallet } = window as unknown as {
                signAsWallet: (text: string) => Promise<string>;
              };
              return signAsWallet(typedData);
            }
            default: {
              if (how === 'declinesToPay' && method === 'eth_sendTransaction') {
                throw Object.assign(new Error('no'), { code: 4001 });
              }
              const { askChain } = window as unknown as {
                askChain: (name: string, list: readonly unknown[]) => Promise<unknown>;
              };
              // Wallets choose the gas; this one's chain takes no fee for it.
              const list = params ?? [];
              const gas = { gas: '0x4c4b40', gasPrice: '0x0' };
              const isSending = method === 'eth_sendTransaction';
              const [transaction] = list as readonly object[];
              return askChain(method, isSending ? [{ ...transaction, ...gas }] : list);
            }
          }
        },
      };
      const info = {
        uuid: `test-${walletName}`,
        name: walletName,
        icon: 'javascript:0',
        rdns: 'test',
      };
      const announce = (): void => {
        const detail = Object.freeze({ info, provider });
        window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
      };
      window.addEventListener('eip6963:requestProvider', announce);
      announce();
    },
    { address: wallet.address, name, first: chainId, how: habit },
  );
}
