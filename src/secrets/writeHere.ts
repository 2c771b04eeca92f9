// Writes a vault on the thread that asks: for vaults in memory, where no disk makes it wait.

import type { Vault, VaultWriter } from './vault.ts';

export function writeHere(vault: Vault): VaultWriter {
  return {
    createKeyRecord: async (record) => vault.createKeyRecord(record),
    putProfile: async (profile) => vault.putProfile(profile),
    removeKey: async (apiKey, profile) => {
      vault.removeKey(apiKey);
      vault.removeProfile(profile);
    },
    removeProfile: async (ref) => vault.removeProfile(ref),
    touchLastUsed: async (times) => vault.touchLastUsed(times),
    close: async () => {},
  };
}
