// A wallet that lives in this browser, for play money: a key that the page makes, keeps and signs
// with. The person can export it, or lose it with the browser's data.

import type { Store } from '../state/store.ts';
import type { Signer } from './signIn.ts';

const keyOf = (chainId: number): string => `evermark.guest.${chainId}`;
const form = /^0x[0-9a-f]{64}$/;

export type GuestKey = `0x${string}`;

/** The key of this browser's guest; undefined before there is one. */
export function guestKey(store: Store, chainId: number): GuestKey | undefined {
  try {
    const kept = store.getItem(keyOf(chainId));
    return kept !== null && form.test(kept) ? (kept as GuestKey) : undefined;
  } catch {
    return undefined;
  }
}

export type GuestOptions = {
  readonly store: Store;
  readonly chainId: number;
  /** Fills the bytes with chance that is good enough for a key. */
  readonly fillRandom: (bytes: Uint8Array<ArrayBuffer>) => unknown;
};

/** The guest of this browser, made at the first call. The code that signs is loaded now. */
export async function openGuest({ store, chainId, fillRandom }: GuestOptions): Promise<Signer> {
  let key = guestKey(store, chainId);
  if (key === undefined) {
    const bytes = new Uint8Array(32);
    fillRandom(bytes);
    key = `0x${Array.from(bytes, (each) => each.toString(16).padStart(2, '0')).join('')}`;
    try {
      store.setItem(keyOf(chainId), key);
    } catch {
      // The browser keeps nothing: the guest ends with the visit.
    }
  }
  const privateKey = key;
  const { addressOf, signTypedData } = await import('./signTypedData.ts');
  return {
    address: addressOf(privateKey),
    kind: 'guest',
    wallet: 'guest',
    sign: async (typedData) => signTypedData(privateKey, typedData),
  };
}
