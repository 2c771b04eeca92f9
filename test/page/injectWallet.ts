// A wallet that announces itself to the page (EIP-6963) and signs with a key of the test. It has
// the habits of real ones, good and bad.

import type { Page } from 'playwright-core';
import type { Wallet } from '../identity/wallet.ts';

export type WalletHabit =
  | 'signs'
  /** The person declines to sign. */
  | 'refuses'
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
};

export async function injectWallet(page: Page, options: InjectWallet): Promise<void> {
  const { wallet, name, chainId, habit = 'signs' } = options;
  await page.exposeFunction('signAsWallet', (typedData: string) => {
    const { message } = JSON.parse(typedData) as {
      readonly message: { readonly nonce: string; readonly timestamp: number };
    };
    const { nonce, timestamp } = message;
    return wallet.sign({ chainId: 43113, address: wallet.address, nonce, timestamp });
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
            default:
              throw new Error(`no method ${method}`);
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
