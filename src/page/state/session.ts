// The login of the person at the page: which wallet, and its token. The token stays in the browser
// until it expires, so that a reload asks for no signature, and all tabs share it.

import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Clock } from '../../std/clock.ts';
import { readJson, type Store, writeJson } from './store.ts';

export type Login = {
  readonly address: string;
  readonly kind: 'injected' | 'guest';
  /** The wallet's own name. */
  readonly wallet: string;
  readonly token: string;
  /** Seconds. */
  readonly expiresAt: number;
};

export type Session = {
  readonly login: ReadonlySignal<Login | undefined>;
  /** Whether the last login ended by itself: the token has expired or was revoked. */
  readonly hasExpired: Signal<boolean>;
  readonly begin: (login: Login) => void;
  /** The person leaves. */
  readonly end: () => void;
  /** The exchange no longer takes this token. */
  readonly expire: (token: string) => void;
  /** Another tab has begun or ended a login. */
  readonly readAgain: () => void;
};

export type SessionOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly chainId: number;
};

export const sessionKey = (chainId: number): string => `evermark.session.${chainId}`;

export function createSession({ store, clock, chainId }: SessionOptions): Session {
  const key = sessionKey(chainId);
  const read = (): Login | undefined => {
    const kept = readJson(store, key);
    return isLogin(kept) && kept.expiresAt * 1000 > clock.now() ? kept : undefined;
  };
  const login = signal(read());
  const hasExpired = signal(false);
  const set = (next: Login | undefined): void => {
    writeJson(store, key, next);
    login.value = next;
  };
  return {
    login,
    hasExpired,
    begin: (next) => {
      hasExpired.value = false;
      set(next);
    },
    end: () => {
      hasExpired.value = false;
      set(undefined);
    },
    expire: (token) => {
      if (login.value?.token !== token) return;
      const kept = read();
      if (kept !== undefined && kept.token !== token) {
        // Another tab has signed in since.
        login.value = kept;
        return;
      }
      batch(() => {
        hasExpired.value = true;
        set(undefined);
      });
    },
    readAgain: () => {
      const kept = read();
      if (kept?.token !== login.value?.token) login.value = kept;
    },
  };
}

function isLogin(kept: unknown): kept is Login {
  if (typeof kept !== 'object' || kept === null) return false;
  const { address, kind, wallet, token, expiresAt } = kept as Record<string, unknown>;
  const texts = [address, wallet, token].every((each) => typeof each === 'string');
  return texts && typeof expiresAt === 'number' && (kind === 'injected' || kind === 'guest');
}
