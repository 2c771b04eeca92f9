// The places for the login nonces that the engine remembers (AUTH-5b). A wallet has few of them,
// and all wallets that were never credited have half of them together. Only a login with a verified
// signature takes a place, so that no client can use up the places of another wallet.

import { loginNoncesMax } from '../../engine/limits.ts';
import { accountByAddress, type Exchange, sizesOf } from '../../engine/views/exchange.ts';
import { createHeap, heapPeek, heapPop, heapPush } from '../../std/heap.ts';

export type LoginPlaceBounds = {
  /** Places in all, and those that wallets which were never credited may take together. */
  readonly all: number;
  readonly strangers: number;
  /** Of a wallet: never credited, and credited. */
  readonly perStranger: number;
  readonly perWallet: number;
};

export const loginPlaceBounds: LoginPlaceBounds = {
  all: loginNoncesMax,
  strangers: loginNoncesMax / 2,
  perStranger: 5,
  perWallet: 20,
};

/** A login that was verified; its nonce is remembered until `expiresAt`, in milliseconds. */
export type PlacedLogin = {
  readonly address: string;
  readonly nonce: string;
  readonly expiresAt: number;
};

export type LoginPlaces = {
  /** Why the wallet cannot have another place now; undefined: it can. */
  readonly whyFull: (address: string, now: number) => 'tooManyRequests' | 'overloaded' | undefined;
  /** Takes a place after `whyFull` gave undefined. A nonce takes only one. */
  readonly take: (login: PlacedLogin) => void;
};

type Place = PlacedLogin & { readonly isStranger: boolean };

/** `exchange`: which wallets were ever credited, and how many nonces are remembered. */
export function createLoginPlaces(exchange: Exchange, bounds = loginPlaceBounds): LoginPlaces {
  const places = createHeap<Place>((a, b) => a.expiresAt < b.expiresAt);
  const nonces = new Set<string>();
  const byWallet = new Map<string, number>();
  let strangers = 0;
  const isStranger = (address: string): boolean =>
    accountByAddress(exchange, address)?.funded !== true;
  const count = ({ address, isStranger: strange }: Place, by: 1 | -1): void => {
    if (strange) strangers += by;
    const taken = (byWallet.get(address) ?? 0) + by;
    if (taken === 0) byWallet.delete(address);
    else byWallet.set(address, taken);
  };
  const forgetExpired = (now: number): void => {
    for (let next = heapPeek(places); next !== undefined; next = heapPeek(places)) {
      if (next.expiresAt > now) return;
      heapPop(places);
      nonces.delete(next.nonce);
      count(next, -1);
    }
  };
  /** Nonces from before a restart count as those of wallets that were never credited. */
  const ofStrangers = (): number =>
    Math.max(strangers, sizesOf(exchange).nonces - (places.items.length - strangers));
  return {
    whyFull: (address, now) => {
      forgetExpired(now);
      const strange = isStranger(address);
      const most = strange ? bounds.perStranger : bounds.perWallet;
      if ((byWallet.get(address) ?? 0) >= most) return 'tooManyRequests';
      const isFull = strange
        ? ofStrangers() >= bounds.strangers
        : places.items.length >= bounds.all;
      return isFull ? 'overloaded' : undefined;
    },
    take: (login) => {
      if (nonces.has(login.nonce)) return;
      nonces.add(login.nonce);
      const place = { ...login, isStranger: isStranger(login.address) };
      heapPush(places, place);
      count(place, 1);
    },
  };
}
