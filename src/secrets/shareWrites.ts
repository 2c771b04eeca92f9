// Writes each secret into the local secret store and, before anyone may rely on it, into the one
// that several processes share. After a crash between the two the shared one decides: the next
// start makes the local one equal to it.

import { must } from '../std/assert.ts';
import type { SealedSecretStore, SecretStoreWriter } from './secretStore.ts';
import type { SharedSecrets } from './sharedSecrets.ts';

export function shareWrites(
  writer: SecretStoreWriter,
  store: Pick<SealedSecretStore, 'sealedKey' | 'sealedProfile'>,
  shared: SharedSecrets,
): SecretStoreWriter {
  const keyOf = (apiKey: string) =>
    must(store.sealedKey(apiKey), 'a key that was written is there');
  const profileOf = (ref: string) => must(store.sealedProfile(ref), 'so is a profile');
  // No command names these rows any more. What stays is removed later, like every orphan.
  const remove: SharedSecrets['remove'] = (names) => shared.remove(names).catch(() => {});
  return {
    createKeyRecord: async (record) => {
      const ref = await writer.createKeyRecord(record);
      await shared.put({ keys: [keyOf(record.apiKey)], profiles: [profileOf(ref)] });
      return ref;
    },
    putProfile: async (profile) => {
      const ref = await writer.putProfile(profile);
      await shared.put({ keys: [], profiles: [profileOf(ref)] });
      return ref;
    },
    removeKey: async (apiKey, profile) => {
      await writer.removeKey(apiKey, profile);
      await remove({ apiKeys: [apiKey], refs: [profile] });
    },
    removeProfile: async (ref) => {
      await writer.removeProfile(ref);
      await remove({ apiKeys: [], refs: [ref] });
    },
    touchLastUsed: async (times) => {
      await writer.touchLastUsed(times);
      await shared.touch(times);
    },
    close: writer.close,
  };
}
