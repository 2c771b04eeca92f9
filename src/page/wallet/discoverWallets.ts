// Wallets of the browser: those that announce themselves (EIP-6963), or else `window.ethereum`.

import { type ReadonlySignal, signal } from '@preact/signals';

/** What wallets have in common (EIP-1193). */
export type Provider = {
  readonly request: (asked: {
    readonly method: string;
    readonly params?: readonly unknown[];
  }) => Promise<unknown>;
};

export type InjectedWallet = {
  readonly id: string;
  readonly name: string;
  /** An image as a data address; empty when the wallet gave another. */
  readonly icon: string;
  readonly provider: Provider;
};

type Announcement = {
  readonly info?: { readonly uuid?: unknown; readonly name?: unknown; readonly icon?: unknown };
  readonly provider?: Provider;
};

export type WalletWindow = Pick<Window, 'addEventListener' | 'dispatchEvent'> & {
  readonly ethereum?: Provider;
};

/** A page of wallets that all announce themselves is still readable. */
const walletsMax = 20;
const nameLengthMax = 40;

/** Asks for announcements; the list grows as they come. */
export function discoverWallets(page: WalletWindow): ReadonlySignal<readonly InjectedWallet[]> {
  const found = signal<readonly InjectedWallet[]>(fallbackOf(page));
  page.addEventListener('eip6963:announceProvider', (event) => {
    const wallet = walletOf((event as CustomEvent<Announcement>).detail);
    if (wallet === undefined || found.value.some(({ id }) => id === wallet.id)) return;
    // A wallet that announces itself is the one that is injected, too.
    const announced = found.value.filter(({ id }) => id !== fallbackId);
    if (announced.length < walletsMax) found.value = [...announced, wallet];
  });
  page.dispatchEvent(new Event('eip6963:requestProvider'));
  return found;
}

const fallbackId = 'window.ethereum';

function fallbackOf({ ethereum }: WalletWindow): readonly InjectedWallet[] {
  if (typeof ethereum?.request !== 'function') return [];
  return [{ id: fallbackId, name: 'Browser wallet', icon: '', provider: ethereum }];
}

/** An announcement comes from any extension, so nothing in it is taken on trust. */
function walletOf(detail: Announcement | undefined): InjectedWallet | undefined {
  const { info, provider } = detail ?? {};
  if (typeof provider?.request !== 'function' || typeof info?.uuid !== 'string') return undefined;
  const { name, icon } = info;
  return {
    id: info.uuid,
    name: typeof name === 'string' ? name.slice(0, nameLengthMax) : 'Wallet',
    icon: typeof icon === 'string' && /^data:image\//.test(icon) ? icon : '',
    provider,
  };
}
