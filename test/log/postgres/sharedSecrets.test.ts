// The secrets that the processes of a deployment share: one process writes them, the next has them
// with the lease, and a process without the lease changes nothing there.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type DataDirectory, makeDataDirectory } from '../../../src/bin/dataDirectory.ts';
import { loadShared, openSharedSecrets } from '../../../src/bin/openSharedSecrets.ts';
import { createServers, type Servers } from '../../../src/log/postgres/createServers.ts';
import { startSecretStoreWriter } from '../../../src/secrets/startSecretStoreWriter.ts';
import { systemScheduler } from '../../../src/std/scheduler.ts';
import { createTemporaryDirectory } from '../../fixtures/temporaryDirectory.ts';
import { chain, connect, makeDatabase, sharedServer } from './openServers.ts';

const masterKey = '9b'.repeat(32);
const config = { masterKey, replicatedStorage: true };
const profile = { label: 'my key', ipWhitelist: '10.0.0.1' };
const record = (apiKey: string) => ({ apiKey, secret: `secret of ${apiKey}`, ...profile });

type Cluster = {
  readonly servers: Servers;
  /** Makes a process the holder, and opens the secrets in its data directory. */
  readonly hold: (name: string) => Promise<Held>;
  readonly directoryOf: (name: string) => DataDirectory;
  readonly count: (table: string) => Promise<number>;
};

type Held = Awaited<ReturnType<typeof openSharedSecrets>> & {
  readonly writer: ReturnType<typeof startSecretStoreWriter>;
};

async function openCluster(path: string): Promise<Cluster> {
  const urls = await makeDatabase(sharedServer);
  const client = await connect(urls);
  const servers = createServers({
    ...{ urls, applicationName: 'evermark test', replicatedStorage: true },
    scheduler: systemScheduler,
  });
  const directoryOf = (name: string): DataDirectory => makeDataDirectory(join(path, name), chain);
  let epoch = 0;
  return {
    servers,
    directoryOf,
    count: async (table) => {
      const { rows } = await client.query(
        `select count(*)::integer as count from evermark.${table}`,
      );
      return rows[0].count;
    },
    hold: async (holder) => {
      epoch += 1;
      await client.query('update evermark.lease set epoch = $1, holder = $2', [epoch, holder]);
      const directory = directoryOf(holder);
      const seat = { servers, holder, epoch };
      const secrets = await openSharedSecrets({ config, directory, seat });
      const local = startSecretStoreWriter(secrets.store, { directory: directory.path, masterKey });
      onTestFinished(async () => {
        await local.close();
        secrets.close();
        secrets.store.close();
      });
      return { ...secrets, writer: secrets.share(local) };
    },
  };
}

test('what one process has written the next one has: secrets, profiles, times, credentials', async () => {
  using place = createTemporaryDirectory();
  const { hold, directoryOf, count } = await openCluster(place.path);
  const first = await hold('first');
  const ref = await first.writer.createKeyRecord(record('a'));
  const gone = await first.writer.createKeyRecord(record('b'));
  const changed = await first.writer.putProfile({ ...profile, label: 'another' });
  await first.writer.touchLastUsed(new Map([['a', 1234]]));
  await first.writer.removeKey('b', gone);
  expect([await count('secret'), await count('profile')]).toEqual([1, 2]);

  const second = await hold('second');
  expect(second.store.secretOf('a')).toBe('secret of a');
  expect(second.store.profileOf(ref)).toEqual(profile);
  expect(second.store.profileOf(changed)).toEqual({ ...profile, label: 'another' });
  expect(second.store.lastUsedOf('a')).toBe(1234);
  expect(second.store.secretOf('b')).toBeUndefined();
  for (const name of ['jwt-secret', 'operator-token']) {
    const [one, two] = ['first', 'second'].map((each) =>
      readFileSync(join(directoryOf(each).path, name), 'utf8'),
    );
    expect(one).toBe(two);
  }
  // What no command names goes, there and here.
  await second.sweep({ apiKeys: new Set(['a']), refs: new Set([changed]) });
  expect([await count('secret'), await count('profile')]).toEqual([1, 1]);
  expect(second.store.profileOf(ref)).toBeUndefined();
});

test('a process without the lease writes, removes and sweeps nothing there', async () => {
  using place = createTemporaryDirectory();
  const { hold, count } = await openCluster(place.path);
  const former = await hold('former');
  const ref = await former.writer.createKeyRecord(record('a'));
  const present = await hold('present');
  await present.writer.createKeyRecord(record('b'));
  // It knows nothing of b, and a sweep would remove it.
  const kept = { apiKeys: new Set(['a']), refs: new Set([ref]) };
  await expect(former.sweep(kept)).rejects.toThrow('another process has the lease');
  await expect(former.writer.createKeyRecord(record('c'))).rejects.toThrow('another process');
  await expect(former.writer.removeKey('a', ref)).rejects.toThrow('another process');
  expect([await count('secret'), await count('profile')]).toEqual([2, 2]);
  // What the former one has only in its own store is not in the deployment, and goes again.
  const again = await hold('former-again');
  expect(again.store.secretOf('c')).toBeUndefined();
  expect(again.store.secretOf('b')).toBe('secret of b');
});

test('a process with another master key is refused before it asks for the lease', async () => {
  using place = createTemporaryDirectory();
  const { hold, servers, directoryOf } = await openCluster(place.path);
  await hold('first');
  const directory = directoryOf('second');
  const other = { ...config, masterKey: '11'.repeat(32) };
  await expect(loadShared({ config: other, directory }, servers)).rejects.toThrow(
    'The master key that is set does not open',
  );
  const none = { ...config, masterKey: '' };
  await expect(loadShared({ config: none, directory }, servers)).rejects.toThrow(
    "The secret store's master key is missing",
  );
  expect(existsSync(join(directory.path, 'master-key'))).toBe(false);
  expect(await loadShared({ config, directory }, servers)).toEqual([]);
});
