// When each API key was last used (AUTH-8). The times are in memory; `flush`, called once a minute,
// writes them to the secret store's side table. A crash may lose the last minute.

import type { SecretStore, SecretStoreWriter } from '../secrets/secretStore.ts';

/** Keys whose time is not written yet; at the bound all are written at once. */
const waitingMax = 100_000;

export type LastUsed = {
  /** A signed request of this key was good. Milliseconds since the epoch. */
  readonly note: (apiKey: string, now: number) => void;
  readonly of: (apiKey: string) => number | undefined;
  /** Resolves when the times so far are written. It never rejects; a later call tries again. */
  readonly flush: () => Promise<void>;
};

export type LastUsedOptions = {
  readonly secretStore: Pick<SecretStore, 'lastUsedOf'>;
  readonly writer: Pick<SecretStoreWriter, 'touchLastUsed'>;
  readonly onFailure: (error: unknown) => void;
};

export function createLastUsed({ secretStore, writer, onFailure }: LastUsedOptions): LastUsed {
  let waiting = new Map<string, number>();
  /** What is being written. */
  let leaving = new Map<string, number>();
  let writing: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    [leaving, waiting] = [waiting, new Map()];
    try {
      await writer.touchLastUsed(leaving);
    } catch (error) {
      waiting = new Map([...leaving, ...waiting]);
      onFailure(error);
    }
    leaving = new Map();
    writing = undefined;
  };
  const flush = async (): Promise<void> => {
    await writing;
    if (waiting.size === 0) return;
    writing ??= write();
    await writing;
  };
  return {
    note: (apiKey, now) => {
      waiting.set(apiKey, now);
      if (waiting.size >= waitingMax && writing === undefined) void flush();
    },
    of: (apiKey) => waiting.get(apiKey) ?? leaving.get(apiKey) ?? secretStore.lastUsedOf(apiKey),
    flush,
  };
}
