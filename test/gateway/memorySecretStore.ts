// A working secret store in memory, for tests and runs of what uses it. It loses nothing as long as
// the process lives.

import { randomBytes as secureBytes } from 'node:crypto';
import type { Profile, RandomBytes, SecretStore } from '../../src/secrets/secretStore.ts';

export function createMemorySecretStore(randomBytes: RandomBytes = secureBytes): SecretStore {
  const secrets = new Map<string, string>();
  const profiles = new Map<string, Profile>();
  const lastUsed = new Map<string, number>();
  const putProfile = ({ label, ipWhitelist }: Profile): string => {
    const ref = randomBytes(16).toString('hex');
    profiles.set(ref, { label, ipWhitelist });
    return ref;
  };
  return {
    createKeyRecord: (record) => {
      secrets.set(record.apiKey, record.secret);
      return putProfile(record);
    },
    putKey: ({ apiKey, secret }) => void secrets.set(apiKey, secret),
    putProfile,
    secretOf: (apiKey) => secrets.get(apiKey),
    profileOf: (ref) => profiles.get(ref),
    removeKey: (apiKey) => void secrets.delete(apiKey),
    removeProfile: (ref) => void profiles.delete(ref),
    sweep: ({ apiKeys, refs }) => {
      const keys = [...secrets.keys()].filter((apiKey) => !apiKeys.has(apiKey));
      const stale = [...profiles.keys()].filter((ref) => !refs.has(ref));
      for (const apiKey of keys) secrets.delete(apiKey);
      for (const ref of stale) profiles.delete(ref);
      return { keys: keys.length, profiles: stale.length };
    },
    countLost: (apiKeys) => [...apiKeys].filter(({ apiKey }) => !secrets.has(apiKey)).length,
    rotate: () => {},
    touchLastUsed: (times) => {
      for (const [apiKey, at] of times) lastUsed.set(apiKey, at);
    },
    lastUsedOf: (apiKey) => lastUsed.get(apiKey),
    together: (work) => work(),
    overwrite: () => {},
    noteSecret: () => {},
    noteProfile: () => {},
    close: () => {},
  };
}
