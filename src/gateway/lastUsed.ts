// When each API key was last used (AUTH-8). The times are in memory; `flush`, called once a minute,
// writes them to the secret store's side table. A crash may lose the last minute.

import type { SecretStore, SecretStoreWriter } from '../secrets/secretStore.ts';
import { type BoundedCache, cacheGet, cacheSet, createBoundedCache } from '../std/boundedCache.ts';

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
  /** Of a process that shares the keys with others. */
  readonly news?: LastUsedNews | undefined;
};

/** How the processes of a deployment hear when keys were used at the others. */
export type LastUsedNews = {
  readonly say: (times: ReadonlyMap<string, number>) => void;
  /** Called once, with what takes the news of others. */
  readonly onNews: (hear: (apiKey: string, at: number) => void) => void;
};

export function createLastUsed(options: LastUsedOptions): LastUsed {
  const { secretStore, writer, onFailure, news } = options;
  /** What other processes have written to the store of all, and this one has not. */
  const heard: BoundedCache<number> = createBoundedCache(waitingMax);
  let waiting = new Map<string, number>();
  /** What is being written. */
  let leaving = new Map<string, number>();
  let writing: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    [leaving, waiting] = [waiting, new Map()];
    news?.say(leaving);
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
  news?.onNews((apiKey, at) => {
    cacheSet(heard, apiKey, Math.max(at, cacheGet(heard, apiKey) ?? 0));
  });
  return {
    note: (apiKey, now) => {
      waiting.set(apiKey, now);
      if (waiting.size >= waitingMax && writing === undefined) void flush();
    },
    of: (apiKey) => {
      const own = waiting.get(apiKey) ?? leaving.get(apiKey) ?? secretStore.lastUsedOf(apiKey);
      const other = cacheGet(heard, apiKey);
      return own === undefined || other === undefined ? (own ?? other) : Math.max(own, other);
    },
    flush,
  };
}
