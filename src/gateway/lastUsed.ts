// When each API key was last used (AUTH-8). The times are in memory; `flush`, called once a minute,
// writes them to the vault's side table. A crash may lose the last minute.

import type { Vault } from '../secrets/vault.ts';

/** Keys whose time is not written yet; at the bound all are written at once. */
const waitingMax = 100_000;

export type LastUsed = {
  /** A signed request of this key was good. Milliseconds since the epoch. */
  readonly note: (apiKey: string, now: number) => void;
  readonly of: (apiKey: string) => number | undefined;
  readonly flush: () => void;
};

export function createLastUsed(vault: Pick<Vault, 'touchLastUsed' | 'lastUsedOf'>): LastUsed {
  const waiting = new Map<string, number>();
  const flush = (): void => {
    if (waiting.size === 0) return;
    vault.touchLastUsed(waiting);
    waiting.clear();
  };
  return {
    note: (apiKey, now) => {
      waiting.set(apiKey, now);
      if (waiting.size >= waitingMax) flush();
    },
    of: (apiKey) => waiting.get(apiKey) ?? vault.lastUsedOf(apiKey),
    flush,
  };
}
