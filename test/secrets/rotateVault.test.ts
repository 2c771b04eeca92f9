// `evermark vault rotate` as an operator types it: the secret store opens with the new key and no
// longer with the old one, and a mistyped command changes nothing.

import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeDataDirectory } from '../../src/bin/dataDirectory.ts';
import { runVault } from '../../src/bin/vault.ts';
import { DirectoryInUse, lockDirectory } from '../../src/log/file/lockDirectory.ts';
import { openSecretStore } from '../../src/secrets/openSecretStore.ts';
import {
  createTemporaryDirectory,
  type TemporaryDirectory,
} from '../fixtures/temporaryDirectory.ts';

const [oldKey, newKey] = ['a1'.repeat(32), 'b2'.repeat(32)];
const secret = '5'.repeat(64);
let directory: TemporaryDirectory;
let printed: string[];

beforeEach(() => {
  directory = createTemporaryDirectory();
  makeDataDirectory(directory.path, 43113);
  printed = [];
});
afterEach(() => directory[Symbol.dispose]());

/** The secret from the secret store; throws its error about the key. */
function readSecret(masterKey?: string): string | undefined {
  const secretStore = openSecretStore({ directory: directory.path, masterKey, randomBytes });
  const found = secretStore.secretOf('key');
  secretStore.close();
  return found;
}

function sealWith(masterKey?: string): void {
  const secretStore = openSecretStore({ directory: directory.path, masterKey, randomBytes });
  secretStore.putKey({ apiKey: 'key', secret });
  secretStore.close();
}

const rotate = (environment: Readonly<Record<string, string>> = {}): Promise<number> =>
  runVault(['rotate', '--data', directory.path], {
    print: (line) => printed.push(line),
    complain: (line) => printed.push(line),
    environment,
  });

test('AUTH-4: a key of the deployment is replaced by a new one, which is not shown', async () => {
  sealWith();
  const file = join(directory.path, 'master-key');
  const before = readFileSync(file, 'utf8');
  expect(await rotate()).toBe(0);
  const after = readFileSync(file, 'utf8');
  expect(after).not.toBe(before);
  expect(readSecret()).toBe(secret);
  expect(printed.join()).toContain(file);
  expect(printed.join()).not.toContain(after.trim());
  expect(() => readSecret(before)).toThrow('does not open');
});

test('AUTH-4: a key that the operator holds is replaced by the key that the operator names', async () => {
  sealWith(oldKey);
  const environment = { EVERMARK_MASTER_KEY: oldKey, EVERMARK_NEW_MASTER_KEY: newKey };
  expect(await rotate(environment)).toBe(0);
  expect(readSecret(newKey)).toBe(secret);
  expect(() => readSecret(oldKey)).toThrow('does not open');
  expect(printed.join()).not.toContain(newKey);
  await expect(rotate(environment)).rejects.toThrow('does not open');
});

test('an impossible rotation is reported, and the secret store stays unchanged', async () => {
  sealWith(oldKey);
  const kept = { EVERMARK_MASTER_KEY: oldKey };
  await expect(rotate(kept)).rejects.toThrow('EVERMARK_NEW_MASTER_KEY');
  await expect(rotate({ ...kept, EVERMARK_NEW_MASTER_KEY: 'abc' })).rejects.toThrow('64 hex');
  const same = { ...kept, EVERMARK_NEW_MASTER_KEY: oldKey.toUpperCase() };
  await expect(rotate(same)).rejects.toThrow('already');
  const lock = lockDirectory(join(directory.path, 'log'));
  await expect(rotate({ ...kept, EVERMARK_NEW_MASTER_KEY: newKey })).rejects.toThrow(
    DirectoryInUse,
  );
  lock.release();
  expect(readSecret(oldKey)).toBe(secret);
  rmSync(join(directory.path, 'vault.db'));
  await expect(rotate()).rejects.toThrow('no secret store');
});
