// When each API key was last used (AUTH-8). The times are in memory; `flush`, called once a minute,
// writes them to the secret store's side table. A crash may lose the last minute.

import type { SecretStore } from '../secrets/secretStore.ts';

/** Keys whose time is not written yet; at the bound all are written at once. */
const waitingMax = 100_000;

export type LastUsed = {
  /** A signed request of this key was good. Milliseconds since the epoch. */
  readonly note: (apiKey: string, now: number) => void;
  readonly of: (apiKey: string) => number | undefined;
  readonly flush: () => void;
};

export function createLastUsed(
  secretStore: Pick<SecretStore, 'touchLastUsed' | 'lastUsedOf'>,
): LastUsed {
  const waiting = new Map<string, number>();
  const flush = (): void => {
    if (waiting.size === 0) return;
    secretStore.touchLastUsed(waiting);
    waiting.clear();
  };
  return {
    note: (apiKey, now) => {
      waiting.set(apiKey, now);
      if (waiting.size >= waitingMax) flush();
    },
    of: (apiKey) => waiting.get(apiKey) ?? secretStore.lastUsedOf(apiKey),
    flush,
  };
}
