// The secrets that the processes of a deployment share: each of them writes there, each has what
// the others have written, and only the holder of the lease removes what no command names.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type DataDirectory, makeDataDirectory } from '../../../src/bin/dataDirectory.ts';
import { writeDeploymentMark } from '../../../src/bin/deploymentMark.ts';
import { loadShared, openSharedSecrets } from '../../../src/bin/openSharedSecrets.ts';
import { type SweepOrphans, sweepOrphans } from '../../../src/bin/sweepOrphans.ts';
import type { Exchange } from '../../../src/engine/views/exchange.ts';
import { createServers, type Servers } from '../../../src/log/postgres/createServers.ts';
import { SecretsNotTaken } from '../../../src/secrets/sharedSecrets.ts';
import { shareWrites } from '../../../src/secrets/shareWrites.ts';
import { startSecretStoreWriter } from '../../../src/secrets/startSecretStoreWriter.ts';
import { systemScheduler } from '../../../src/std/scheduler.ts';
import { createTemporaryDirectory } from '../../fixtures/temporaryDirectory.ts';
import { chain, connect, makeDatabase, sharedServer } from './openServers.ts';

const masterKey = '9b'.repeat(32);
const config = { masterKey, replicatedStorage: true };
const profile = { label: 'my key', ipWhitelist: '10.0.0.1' };
const record = (apiKey: string) => ({ apiKey, secret: `secret of ${apiKey}`, ...profile });
const files = ['jwt-secret', 'operator-token', 'link-secret'];

type Cluster = {
  readonly servers: Servers;
  readonly client: Awaited<ReturnType<typeof connect>>;
  /** Opens the secrets of a process in its data directory. */
  readonly open: (name: string, keys?: typeof config) => Promise<Opened>;
  readonly directoryOf: (name: string) => DataDirectory;
  readonly count: (table: string) => Promise<number>;
  /** The contents of the files of credentials of a process. */
  readonly credentials: (name: string) => readonly string[];
};

type Opened = Awaited<ReturnType<typeof openSharedSecrets>> & {
  readonly writer: ReturnType<typeof startSecretStoreWriter>;
  readonly shared: ReturnType<Awaited<ReturnType<typeof openSharedSecrets>>['share']>;
};

/** A deployment of its own. */
async function openCluster(path: string): Promise<Cluster> {
  const urls = await makeDatabase(sharedServer);
  const client = await connect(urls);
  const { rows } = await client.query('select deployment from evermark.deployment');
  const servers = createServers({
    ...{ urls, applicationName: 'evermark test', replicatedStorage: true },
    scheduler: systemScheduler,
  });
  const directoryOf = (name: string): DataDirectory => makeDataDirectory(join(path, name), chain);
  return {
    servers,
    client,
    directoryOf,
    count: async (table) => {
      const found = await client.query(`select count(*)::integer as count from evermark.${table}`);
      return found.rows[0].count;
    },
    credentials: (name) =>
      files.map((file) => readFileSync(join(directoryOf(name).path, file), 'utf8')),
    open: async (name, keys = config) => {
      const directory = directoryOf(name);
      const { deployment } = rows[0];
      writeDeploymentMark(directory.path, { deployment, log: 'postgres' });
      const secrets = await openSharedSecrets({ config: keys, directory, servers });
      const writer = startSecretStoreWriter(secrets.store, {
        directory: directory.path,
        masterKey,
      });
      onTestFinished(async () => {
        await writer.close();
        secrets.close();
        secrets.store.close();
      });
      return { ...secrets, writer, shared: secrets.share(writer) };
    },
  };
}

/** The state at the log's end, as far as a sweep looks at it. */
function replicaOf(
  apiKeys: ReadonlyMap<string, { readonly apiKey: string; readonly profile: string }>,
  whenDurable: (release: () => void) => void,
): SweepOrphans['replica'] {
  return { exchange: { apiKeys } as unknown as Exchange, whenDurable };
}

test('what one process has written the next one has: secrets, profiles, times, credentials', async () => {
  using place = createTemporaryDirectory();
  const { open, credentials, count } = await openCluster(place.path);
  const first = await open('first');
  const ref = await first.shared.createKeyRecord(record('a'));
  const gone = await first.shared.createKeyRecord(record('b'));
  const changed = await first.shared.putProfile({ ...profile, label: 'another' });
  await first.shared.touchLastUsed(new Map([['a', 1234]]));
  await first.shared.removeKey('b', gone);
  // A time that is written after the key was removed stays out.
  await first.shared.touchLastUsed(new Map([['b', 1235]]));
  expect([await count('secret'), await count('profile'), await count('last_used')]).toEqual([
    1, 2, 1,
  ]);

  const second = await open('second');
  expect(second.store.secretOf('a')).toBe('secret of a');
  expect(second.store.profileOf(ref)).toEqual(profile);
  expect(second.store.profileOf(changed)).toEqual({ ...profile, label: 'another' });
  expect(second.store.lastUsedOf('a')).toBe(1234);
  expect(second.store.secretOf('b')).toBeUndefined();
  expect(credentials('second')).toEqual(credentials('first'));
});

test('processes that begin at the same time have the same credentials', async () => {
  using place = createTemporaryDirectory();
  const { open, credentials, count } = await openCluster(place.path);
  const names = ['a', 'b', 'c', 'd'];
  await Promise.all(names.map((name) => open(name)));
  for (const name of names) expect(credentials(name)).toEqual(credentials('a'));
  expect(new Set(credentials('a')).size).toBe(files.length);
  expect([await count('master_key'), await count('credential')]).toEqual([1, files.length]);
});

test('of two master keys one becomes the deployment’s, and the other process is refused', async () => {
  using place = createTemporaryDirectory();
  const { open } = await openCluster(place.path);
  const other = { ...config, masterKey: '11'.repeat(32) };
  const both = await Promise.allSettled([open('first'), open('second', other)]);
  const refused = both.flatMap((each) => (each.status === 'rejected' ? each.reason.message : []));
  expect(refused).toEqual([expect.stringContaining('The master key that is set does not open')]);
});

test('a process loads what another one has made since, and destroys what it has removed', async () => {
  using place = createTemporaryDirectory();
  const { open } = await openCluster(place.path);
  const [first, second] = [await open('first'), await open('second')];
  const ref = await first.shared.createKeyRecord(record('a'));
  expect(second.store.secretOf('a')).toBeUndefined();
  const names = { apiKeys: ['a', 'unknown'], refs: [ref, 'unknown'] };
  const rows = await second.load(names);
  expect([rows.keys.length, rows.profiles.length]).toEqual([1, 1]);
  await second.writer.addSealed(rows);
  expect(second.store.secretOf('a')).toBe('secret of a');
  expect(second.store.profileOf(ref)).toEqual(profile);
  expect(second.store.lost([{ apiKey: 'a', profile: ref }])).toEqual([]);
  await second.writer.forgetKey('a');
  expect(second.store.secretOf('a')).toBeUndefined();
  expect(second.store.sealedKey('a')).toBeUndefined();
  // It was destroyed here alone.
  expect((await second.load(names)).keys.length).toBe(1);
});

test('while the deployment is not open there, or has another master key, nothing is written', async () => {
  using place = createTemporaryDirectory();
  const { open, client, count } = await openCluster(place.path);
  const { shared } = await open('first');
  const refused = async (change: string, back: string): Promise<void> => {
    await client.query(change);
    const made = shared.createKeyRecord(record(change));
    await expect(made).rejects.toThrow('is not open for this');
    const touched = shared.touchLastUsed(new Map([['a', 1]]));
    await expect(touched).rejects.toThrow('is not open for this');
    await client.query(back);
  };
  const update = 'update evermark.deployment set';
  await refused(`${update} state = 'left'`, `${update} state = 'open'`);
  await refused(`${update} state = 'filling'`, `${update} state = 'open'`);
  const { rows } = await client.query('select deployment from evermark.deployment');
  const mine = `${update} deployment = '${rows[0].deployment}'`;
  await refused(`${update} deployment = gen_random_uuid()`, mine);
  const version = 'update evermark.master_key set version =';
  await refused(`${version} 2`, `${version} 1`);
  expect([await count('secret'), await count('profile')]).toEqual([0, 0]);
});

test('the holder removes old rows that no command names, and no other process does', async () => {
  using place = createTemporaryDirectory();
  const { open, servers, client, count } = await openCluster(place.path);
  const { shared } = await open('first');
  const profiles = new Map<string, string>();
  for (const apiKey of ['named', 'orphan', 'arriving']) {
    profiles.set(apiKey, await shared.createKeyRecord(record(apiKey)));
  }
  await shared.touchLastUsed(new Map([['orphan', 1]]));
  const age = async (table: string, name: string, value: string | undefined): Promise<void> => {
    const old = "made = clock_timestamp() - interval '11 minutes'";
    await client.query(`update evermark.${table} set ${old} where ${name} = $1`, [value]);
  };
  for (const apiKey of ['named', 'orphan']) {
    await age('secret', 'api_key', apiKey);
    await age('profile', 'ref', profiles.get(apiKey));
  }
  const apiKeys = new Map([['named', { apiKey: 'named', profile: profiles.get('named')! }]]);
  let durable = false;
  const replica = replicaOf(apiKeys, (release) => {
    durable = true;
    release();
  });
  await client.query("update evermark.lease set epoch = 7, holder = 'holder'");
  const writer = { epoch: 7, holder: 'holder', replicatedStorage: true };
  const deposed = { ...writer, epoch: 6 };
  await expect(sweepOrphans({ servers, writer: deposed, replica })).rejects.toThrow(
    'has the lease',
  );
  expect([await count('secret'), await count('profile')]).toEqual([3, 3]);
  expect(await sweepOrphans({ servers, writer, replica })).toBe(2);
  expect(durable).toBe(true);
  const left = await client.query('select api_key from evermark.secret order by 1');
  expect(left.rows).toEqual([{ api_key: 'arriving' }, { api_key: 'named' }]);
  expect(await count('profile')).toBe(2);
  // The time of a key that is not there goes with the next sweep.
  expect(await sweepOrphans({ servers, writer, replica })).toBe(0);
  expect(await count('last_used')).toBe(0);
});

test('a process with another master key is refused before it asks for the lease', async () => {
  using place = createTemporaryDirectory();
  const { open, servers, directoryOf } = await openCluster(place.path);
  await open('first');
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

test('a deployment that takes no secret refuses it, and what it does not remove is an orphan', async () => {
  using directory = createTemporaryDirectory();
  const { open } = await openCluster(directory.path);
  const { store, writer } = await open('one');
  const away = { put: 0, remove: 0 };
  const shared = shareWrites(writer, store, {
    put: () => {
      away.put += 1;
      return Promise.reject(new SecretsNotTaken('PostgreSQL does not take it'));
    },
    remove: () => {
      away.remove += 1;
      return Promise.reject(new Error('PostgreSQL does not take it'));
    },
    touch: () => Promise.resolve(),
  });
  await expect(shared.createKeyRecord(record('ab'.repeat(32)))).rejects.toThrow(SecretsNotTaken);
  await shared.removeKey('ab'.repeat(32), 'none');
  await shared.removeProfile('none');
  expect(away).toEqual({ put: 1, remove: 2 });
});
