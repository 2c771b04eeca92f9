// The secret store at rest (AUTH-4, AUTH-8): on real files, read back as bytes where the claim is
// about bytes.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSecretStore } from '../../src/secrets/openSecretStore.ts';
import { writeSecretFile } from '../../src/secrets/secretFile.ts';
import type { SecretStore } from '../../src/secrets/secretStore.ts';

let directory: string;
let opened: SecretStore[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'evermark-vault-'));
  opened = [];
});

afterEach(() => {
  for (const secretStore of opened) secretStore.close();
  rmSync(directory, { recursive: true });
});

function open(masterKey?: string): SecretStore {
  const secretStore = openSecretStore({ directory, masterKey, randomBytes });
  opened.push(secretStore);
  return secretStore;
}

function close(secretStore: SecretStore): void {
  secretStore.close();
  opened.splice(opened.indexOf(secretStore), 1);
}

function hex(size: number): string {
  return randomBytes(size).toString('hex');
}

function record() {
  return { apiKey: hex(32), secret: hex(32), label: 'desk one', ipWhitelist: '203.0.113.7' };
}

function bytesOnDisk(): Buffer {
  const files = readdirSync(directory).filter((name) => name.startsWith('vault.db'));
  return Buffer.concat(files.map((name) => readFileSync(join(directory, name))));
}

describe('AUTH-4 rows', () => {
  it('returns what was stored, also after it is opened again', () => {
    const first = open();
    const key = record();
    const ref = first.createKeyRecord(key);
    expect(ref).toMatch(/^[0-9a-f]{32}$/);
    expect(first.secretOf(key.apiKey)).toBe(key.secret);
    close(first);
    const second = open();
    expect(second.secretOf(key.apiKey)).toBe(key.secret);
    expect(second.profileOf(ref)).toEqual({ label: 'desk one', ipWhitelist: '203.0.113.7' });
    expect(second.secretOf(hex(32))).toBeUndefined();
    expect(second.profileOf(hex(16))).toBeUndefined();
  });

  it('keeps labels of any script, and empty ones', () => {
    const secretStore = open();
    const named = secretStore.putProfile({ label: 'büro 取引 🔑', ipWhitelist: '' });
    const empty = secretStore.putProfile({ label: '', ipWhitelist: '' });
    close(secretStore);
    const again = open();
    expect(again.profileOf(named)).toEqual({ label: 'büro 取引 🔑', ipWhitelist: '' });
    expect(again.profileOf(empty)).toEqual({ label: '', ipWhitelist: '' });
  });

  it('refuses a second key with the same name and writes neither of its rows', () => {
    const secretStore = open();
    const key = record();
    const ref = secretStore.createKeyRecord(key);
    expect(() => secretStore.createKeyRecord({ ...key, secret: hex(32) })).toThrow();
    expect(secretStore.secretOf(key.apiKey)).toBe(key.secret);
    const kept = { apiKeys: new Set([key.apiKey]), refs: new Set([ref]) };
    expect(secretStore.sweep(kept)).toEqual({ keys: 0, profiles: 0 });
  });
});

describe('AUTH-4 at rest', () => {
  it('never writes a secret, label or address list unencrypted', () => {
    const secretStore = open();
    const key = { ...record(), label: 'a label to look for', ipWhitelist: '198.51.100.23' };
    secretStore.createKeyRecord(key);
    for (const when of ['while open', 'when closed']) {
      if (when === 'when closed') close(secretStore);
      const bytes = bytesOnDisk();
      expect(bytes.includes(key.apiKey), 'the search itself works').toBe(true);
      for (const secret of [key.secret, key.label, key.ipWhitelist]) {
        expect(bytes.includes(secret), when).toBe(false);
      }
      expect(bytes.includes(Buffer.from(key.secret, 'hex')), when).toBe(false);
    }
  });

  it.skipIf(process.platform === 'win32')('gives only the owner access to its files', () => {
    const secretStore = open();
    secretStore.createKeyRecord(record());
    for (const name of readdirSync(directory)) {
      expect(statSync(join(directory, name)).mode & 0o777, name).toBe(0o600);
    }
    expect(readdirSync(directory)).toContain('master-key');
  });

  it('destroys the data key when a key or profile is removed', () => {
    const secretStore = open();
    const key = record();
    const ref = secretStore.createKeyRecord(key);
    const reader = new SQLite(join(directory, 'vault.db'), { readonly: true });
    const wrapped = [
      reader.prepare('SELECT data_key FROM secret').pluck().get() as Buffer,
      reader.prepare('SELECT data_key FROM profile').pluck().get() as Buffer,
    ];
    reader.close();
    for (const dataKey of wrapped) expect(bytesOnDisk().includes(dataKey)).toBe(true);
    secretStore.touchLastUsed(new Map([[key.apiKey, 5]]));
    secretStore.removeKey(key.apiKey);
    expect(bytesOnDisk().includes(wrapped[0]!)).toBe(false);
    secretStore.removeProfile(ref);
    expect(bytesOnDisk().includes(wrapped[1]!)).toBe(false);
    expect(secretStore.secretOf(key.apiKey)).toBeUndefined();
    expect(secretStore.profileOf(ref)).toBeUndefined();
    expect(secretStore.lastUsedOf(key.apiKey)).toBeUndefined();
  });

  it('faults on a row that was altered or moved', () => {
    const secretStore = open();
    const [one, two] = [record(), record()];
    secretStore.createKeyRecord(one);
    secretStore.createKeyRecord(two);
    close(secretStore);
    const editor = new SQLite(join(directory, 'vault.db'));
    editor
      .prepare(
        'UPDATE secret SET (data_key, secret) = ' +
          '(SELECT data_key, secret FROM secret WHERE api_key = ?) WHERE api_key = ?',
      )
      .run(one.apiKey, two.apiKey);
    editor.close();
    const again = open();
    expect(again.secretOf(one.apiKey)).toBe(one.secret);
    expect(() => again.secretOf(two.apiKey)).toThrow('altered');
  });
});

describe('AUTH-4 master key', () => {
  it('uses the configured one and makes no file', () => {
    const masterKey = hex(32);
    const secretStore = open(masterKey);
    const key = record();
    secretStore.createKeyRecord(key);
    close(secretStore);
    expect(readdirSync(directory)).not.toContain('master-key');
    expect(open(masterKey.toUpperCase()).secretOf(key.apiKey)).toBe(key.secret);
  });

  it('refuses a wrong key at once, configured or in the file', () => {
    close(open(hex(32)));
    expect(() => open(hex(32))).toThrow('does not open');
    expect(() => open('not a key')).toThrow('64 hex digits');
    writeSecretFile(join(directory, 'master-key'), hex(32));
    expect(() => open()).toThrow('does not open');
  });

  it('refuses to start when the key of an existing secret store is missing, and makes no new one', () => {
    close(open());
    rmSync(join(directory, 'master-key'));
    expect(() => open()).toThrow('master key is missing');
    expect(readdirSync(directory)).not.toContain('master-key');
  });
});

describe('AUTH-4 rotation', () => {
  it('encrypts the data keys again, keeps the values, and makes the old key useless', () => {
    const [before, after] = [hex(32), hex(32)];
    const secretStore = open(before);
    const key = record();
    const ref = secretStore.createKeyRecord(key);
    const read = (column: string) => {
      const reader = new SQLite(join(directory, 'vault.db'), { readonly: true });
      const value = reader.prepare(`SELECT ${column} FROM secret`).pluck().get() as Buffer;
      reader.close();
      return value;
    };
    const [dataKey, sealed] = [read('data_key'), read('secret')];
    secretStore.rotate(after);
    expect(read('secret').equals(sealed)).toBe(true);
    expect(bytesOnDisk().includes(dataKey)).toBe(false);
    const later = record();
    secretStore.createKeyRecord(later);
    close(secretStore);
    expect(() => open(before)).toThrow('does not open');
    const again = open(after);
    expect(again.secretOf(key.apiKey)).toBe(key.secret);
    expect(again.secretOf(later.apiKey)).toBe(later.secret);
    expect(again.profileOf(ref)?.label).toBe(key.label);
    again.rotate(before);
    close(again);
    expect(open(before).secretOf(key.apiKey)).toBe(key.secret);
  });

  it('replaces the key in the file', () => {
    const secretStore = open();
    const key = record();
    secretStore.createKeyRecord(key);
    const next = hex(32);
    secretStore.rotate(next);
    close(secretStore);
    expect(readFileSync(join(directory, 'master-key'), 'utf8').trim()).toBe(next);
    expect(readdirSync(directory)).not.toContain('master-key.next');
    expect(open().secretOf(key.apiKey)).toBe(key.secret);
  });

  it('survives a crash before and after the transaction', () => {
    const secretStore = open();
    const key = record();
    secretStore.createKeyRecord(key);
    const file = join(directory, 'master-key');
    const old = readFileSync(file, 'utf8').trim();
    close(secretStore);

    // Before: the successor was announced, the rows are still the old key's.
    writeSecretFile(`${file}.next`, hex(32));
    const before = open();
    expect(before.secretOf(key.apiKey)).toBe(key.secret);
    expect(readdirSync(directory)).not.toContain('master-key.next');

    // After: the rows are the new key's, the file still holds the old one.
    before.rotate(hex(32));
    close(before);
    renameSync(file, `${file}.next`);
    writeSecretFile(file, old);
    const after = open();
    expect(after.secretOf(key.apiKey)).toBe(key.secret);
    expect(readFileSync(file, 'utf8').trim()).not.toBe(old);
    expect(readdirSync(directory)).not.toContain('master-key.next');
  });
});

describe('AUTH-4 a crash between the secret store and the log', () => {
  it('keeps the old profile and removes the new one', () => {
    const secretStore = open();
    const key = record();
    const inForce = secretStore.createKeyRecord(key);
    const unnamed = secretStore.putProfile({ label: 'never named', ipWhitelist: '' });
    const keyUnnamed = record();
    const refUnnamed = secretStore.createKeyRecord(keyUnnamed);
    secretStore.touchLastUsed(new Map([[keyUnnamed.apiKey, 1]]));
    close(secretStore);
    const again = open();
    const kept = { apiKeys: new Set([key.apiKey]), refs: new Set([inForce]) };
    expect(again.sweep(kept)).toEqual({ keys: 1, profiles: 2 });
    expect(again.profileOf(inForce)?.label).toBe(key.label);
    expect(again.secretOf(key.apiKey)).toBe(key.secret);
    expect(again.profileOf(unnamed)).toBeUndefined();
    expect(again.profileOf(refUnnamed)).toBeUndefined();
    expect(again.secretOf(keyUnnamed.apiKey)).toBeUndefined();
    expect(again.lastUsedOf(keyUnnamed.apiKey)).toBeUndefined();
    expect(again.sweep(kept)).toEqual({ keys: 0, profiles: 0 });
  });
});

describe('AUTH-8 last use', () => {
  it('is stored with the keys and never moves back', () => {
    const secretStore = open();
    const [one, two] = [record(), record()];
    secretStore.createKeyRecord(one);
    secretStore.createKeyRecord(two);
    expect(secretStore.lastUsedOf(one.apiKey)).toBeUndefined();
    secretStore.touchLastUsed(new Map([[one.apiKey, 1_700_000_000_000]]));
    secretStore.touchLastUsed(
      new Map([
        [one.apiKey, 1_600_000_000_000],
        [two.apiKey, 1_700_000_060_000],
      ]),
    );
    close(secretStore);
    const again = open();
    expect(again.lastUsedOf(one.apiKey)).toBe(1_700_000_000_000);
    expect(again.lastUsedOf(two.apiKey)).toBe(1_700_000_060_000);
  });
});
