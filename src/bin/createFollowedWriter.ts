// The writer of the secret store of a process that follows. It keeps when keys were used, and
// writes nothing else before it is promoted.

import type { SecretStoreWriter } from '../secrets/secretStore.ts';

export type FollowedWriter = SecretStoreWriter & {
  /** From the promotion on it writes what all processes share. */
  readonly share: (wrap: (local: SecretStoreWriter) => SecretStoreWriter) => void;
};

export function createFollowedWriter(local: SecretStoreWriter): FollowedWriter {
  let shared: SecretStoreWriter | undefined;
  const writer = (): SecretStoreWriter => {
    if (shared !== undefined) return shared;
    throw new Error('a process that follows writes no secrets');
  };
  return {
    createKeyRecord: async (record) => writer().createKeyRecord(record),
    putProfile: async (profile) => writer().putProfile(profile),
    removeKey: async (apiKey, profile) => writer().removeKey(apiKey, profile),
    removeProfile: async (ref) => writer().removeProfile(ref),
    touchLastUsed: (times) => (shared ?? local).touchLastUsed(times),
    close: local.close,
    share: (wrap) => {
      shared = wrap(local);
    },
  };
}
