// The thread that writes the secret store (AUTH-4): what it has answered is on the disk and can be
// read by the secret store of the calling thread, and what is removed is overwritten.

import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSecretStore } from '../../src/secrets/openSecretStore.ts';
import type { SecretStore, SecretStoreWriter } from '../../src/secrets/secretStore.ts';
import { startSecretStoreWriter } from '../../src/secrets/startSecretStoreWriter.ts';
import {
  createTemporaryDirectory,
  type TemporaryDirectory,
} from '../fixtures/temporaryDirectory.ts';

let directory: TemporaryDirectory;
let store: SecretStore;
let writer: SecretStoreWriter;
const masterKey = 'ab'.repeat(32);

beforeEach(() => {
  directory = createTemporaryDirectory();
  store = openSecretStore({ directory: directory.path, masterKey, randomBytes });
  writer = startSecretStoreWriter(store, { directory: directory.path, masterKey });
});
afterEach(async () => {
  await writer.close();
  store.close();
  directory[Symbol.dispose]();
});

const hex = (size: number): string => randomBytes(size).toString('hex');
const record = () => ({ apiKey: hex(32), secret: hex(32), label: 'desk', ipWhitelist: '' });

/** What another connection reads: only what is committed, and nothing that is in memory. */
function readAgain<T>(read: (other: SecretStore) => T): T {
  const other = openSecretStore({ directory: directory.path, masterKey, randomBytes });
  try {
    return read(other);
  } finally {
    other.close();
  }
}

function bytesOnDisk(): Buffer {
  const files = readdirSync(directory.path).filter((name) => name.startsWith('vault.db'));
  return Buffer.concat(files.map((name) => readFileSync(join(directory.path, name))));
}

test('AUTH-4 the write of a key holds up no thread but its own, and is durable when it is answered', async () => {
  const key = record();
  let answered = false;
  const written = writer.createKeyRecord(key).then((ref) => {
    answered = true;
    return ref;
  });
  // The calling thread goes on.
  expect(answered).toBe(false);
  expect(store.secretOf(key.apiKey)).toBe(undefined);
  const ref = await written;
  expect(store.secretOf(key.apiKey)).toBe(key.secret);
  expect(store.profileOf(ref)).toEqual({ label: 'desk', ipWhitelist: '' });
  expect(readAgain((other) => other.secretOf(key.apiKey))).toBe(key.secret);
  const changed = await writer.putProfile({ label: 'new', ipWhitelist: '203.0.113.7' });
  expect(store.profileOf(changed)).toEqual({ label: 'new', ipWhitelist: '203.0.113.7' });
  expect(readAgain((other) => other.profileOf(changed)?.label)).toBe('new');
});

test('AUTH-4 a hundred writes at once are all there, and a failed one fails alone', async () => {
  const keys = Array.from({ length: 100 }, record);
  const refs = await Promise.all(keys.map(writer.createKeyRecord));
  const twice = { ...keys[0]!, secret: hex(32) };
  const [first, , last] = await Promise.allSettled([
    writer.putProfile({ label: 'one', ipWhitelist: '' }),
    writer.createKeyRecord(twice),
    writer.putProfile({ label: 'two', ipWhitelist: '' }),
  ]);
  await expect(writer.createKeyRecord(twice)).rejects.toThrow('the secret store cannot be written');
  expect([first, last].map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  readAgain((other) => {
    keys.forEach(({ apiKey, secret }, at) => {
      expect(other.secretOf(apiKey)).toBe(secret);
      expect(other.profileOf(refs[at]!)?.label).toBe('desk');
    });
    // Neither row of the refused key was written.
    const kept = { apiKeys: new Set(keys.map(({ apiKey }) => apiKey)), refs: new Set(refs) };
    expect(other.sweep(kept)).toEqual({ keys: 0, profiles: 2 });
  });
});

test('AUTH-4 the thread overwrites the data keys of what it removes', async () => {
  const key = record();
  const ref = await writer.createKeyRecord(key);
  const other = await writer.putProfile({ label: 'other', ipWhitelist: '' });
  const reader = new SQLite(join(directory.path, 'vault.db'), { readonly: true });
  const wrapped = [
    reader.prepare('SELECT data_key FROM secret').pluck().get() as Buffer,
    ...(reader.prepare('SELECT data_key FROM profile').pluck().all() as Buffer[]),
  ];
  reader.close();
  expect(wrapped).toHaveLength(3);
  for (const dataKey of wrapped) expect(bytesOnDisk().includes(dataKey)).toBe(true);
  await Promise.all([writer.removeKey(key.apiKey, ref), writer.removeProfile(other)]);
  for (const dataKey of wrapped) expect(bytesOnDisk().includes(dataKey)).toBe(false);
  expect(store.secretOf(key.apiKey)).toBe(undefined);
  expect([store.profileOf(ref), store.profileOf(other)]).toEqual([undefined, undefined]);
});

test('AUTH-4 what cannot be overwritten yet fails alone, and the next write overwrites it', async () => {
  const key = record();
  const ref = await writer.createKeyRecord(key);
  const reader = new SQLite(join(directory.path, 'vault.db'), { readonly: true });
  const dataKey = reader.prepare('SELECT data_key FROM secret').pluck().get() as Buffer;
  // While another program reads an earlier state, its pages stay on the disk.
  reader.exec('BEGIN; SELECT count(*) FROM secret');
  const [removed, created] = await Promise.allSettled([
    writer.removeKey(key.apiKey, ref),
    writer.createKeyRecord(record()),
  ]);
  expect(removed).toMatchObject({ reason: { message: expect.stringContaining('reads the file') } });
  expect(created.status).toBe('fulfilled');
  expect(bytesOnDisk().includes(dataKey)).toBe(true);
  reader.exec('COMMIT');
  // The row was gone all the same.
  expect(reader.prepare('SELECT count(*) FROM secret').pluck().get()).toBe(1);
  reader.close();
  await writer.putProfile({ label: 'next', ipWhitelist: '' });
  expect(bytesOnDisk().includes(dataKey)).toBe(false);
});

test('AUTH-8 times of last use are written by the thread too', async () => {
  await writer.touchLastUsed(new Map([['a', 5]]));
  await writer.touchLastUsed(
    new Map([
      ['a', 4],
      ['b', 7],
    ]),
  );
  expect([store.lastUsedOf('a'), store.lastUsedOf('b')]).toEqual([5, 7]);
});
