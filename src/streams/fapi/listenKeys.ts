// Listen keys (conventions, 12.1). The holder of an account's listen key reads its user data
// stream. Each account has at most one key, in memory. A restart forgets the keys, and clients make
// new ones.

import type { Clock } from '../../std/clock.ts';
import type { AccountId } from '../../units/units.ts';

export const listenKeyLifeMs = 60 * 60_000;
export const listenKeysMax = 200_000;
export const listenKeyLength = 64;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export type ListenKey = {
  readonly key: string;
  readonly account: AccountId;
  expiresAt: number;
};

export type ListenKeys = {
  /**
   * The account's key, valid for another hour. Makes a key if there is none; undefined at the
   * bound.
   */
  readonly open: (account: AccountId) => string | undefined;
  /** Extends the account's key by another hour; undefined when it has none. */
  readonly keepAlive: (account: AccountId) => string | undefined;
  readonly close: (account: AccountId) => void;
  readonly find: (key: string) => ListenKey | undefined;
  /** Ends the keys whose hour is over. */
  readonly sweep: () => void;
};

export type ListenKeyOptions = {
  readonly clock: Clock;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Called after a key has ended. */
  readonly onEnd: (ended: ListenKey) => void;
};

/** Whether a name has the form of a listen key. Clients use listen keys as names of streams. */
export function looksLikeListenKey(text: string): boolean {
  return /^[A-Za-z0-9]{20,128}$/.test(text);
}

export function createListenKeys({ clock, randomBytes, onEnd }: ListenKeyOptions): ListenKeys {
  const byKey = new Map<string, ListenKey>();
  const byAccount = new Map<AccountId, ListenKey>();
  const end = (listenKey: ListenKey): void => {
    byKey.delete(listenKey.key);
    byAccount.delete(listenKey.account);
    onEnd(listenKey);
  };
  const live = (listenKey: ListenKey | undefined): ListenKey | undefined => {
    if (listenKey === undefined || clock.now() < listenKey.expiresAt) return listenKey;
    end(listenKey);
    return undefined;
  };
  const keepAlive = (account: AccountId): string | undefined => {
    const listenKey = live(byAccount.get(account));
    if (listenKey !== undefined) listenKey.expiresAt = clock.now() + listenKeyLifeMs;
    return listenKey?.key;
  };
  return {
    open: (account) => {
      const kept = keepAlive(account);
      if (kept !== undefined || byKey.size >= listenKeysMax) return kept;
      const key = drawKey(randomBytes);
      const listenKey = { key, account, expiresAt: clock.now() + listenKeyLifeMs };
      byKey.set(key, listenKey);
      byAccount.set(account, listenKey);
      return key;
    },
    keepAlive,
    close: (account) => {
      const listenKey = byAccount.get(account);
      if (listenKey !== undefined) end(listenKey);
    },
    find: (key) => live(byKey.get(key)),
    sweep: () => {
      for (const listenKey of byKey.values()) live(listenKey);
    },
  };
}

/** Characters of the alphabet, all equally likely. */
function drawKey(randomBytes: ListenKeyOptions['randomBytes']): string {
  const fair = 256 - (256 % alphabet.length);
  let key = '';
  while (key.length < listenKeyLength) {
    for (const byte of randomBytes(listenKeyLength)) {
      if (byte < fair && key.length < listenKeyLength) key += alphabet[byte % alphabet.length];
    }
  }
  return key;
}
