// Writes a secret store on the thread that asks: for stores in memory, where no disk makes it wait.

import type { SecretStore, SecretStoreWriter } from './secretStore.ts';

export function writeHere(store: SecretStore): SecretStoreWriter {
  return {
    createKeyRecord: async (record) => store.createKeyRecord(record),
    putProfile: async (profile) => store.putProfile(profile),
    removeKey: async (apiKey, profile) => {
      store.removeKey(apiKey);
      store.removeProfile(profile);
    },
    removeProfile: async (ref) => store.removeProfile(ref),
    touchLastUsed: async (times) => store.touchLastUsed(times),
    close: async () => {},
  };
}
