// A working secret store in memory, for tests of what uses it.

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
    putKey: ({ apiKey, secret }) => {
      secrets.set(apiKey, secret);
    },
    putProfile,
    secretOf: (apiKey) => secrets.get(apiKey),
    profileOf: (ref) => profiles.get(ref),
    removeKey: (apiKey) => {
      secrets.delete(apiKey);
    },
    removeProfile: (ref) => {
      profiles.delete(ref);
    },
    sweep: () => ({ keys: 0, profiles: 0 }),
    countLost: () => 0,
    rotate: () => {},
    touchLastUsed: (times) => {
      for (const [apiKey, at] of times) lastUsed.set(apiKey, at);
    },
    lastUsedOf: (apiKey) => lastUsed.get(apiKey),
    together: (work) => work(),
    noteSecret: () => {},
    noteProfile: () => {},
    close: () => {},
  };
}
