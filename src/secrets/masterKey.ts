// Where the secret store's master key comes from: a setting, else a file of the data directory. A
// rotation writes the successor of the file first, so that after a crash at any moment one key
// still opens the secret store.

import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assert } from '../std/assert.ts';
import {
  readOrCreateSecretFile,
  readSecretFile,
  secretPattern,
  syncDirectory,
  writeSecretFile,
} from './secretFile.ts';
import type { RandomBytes } from './secretStore.ts';

export type MasterKey = {
  readonly key: Buffer;
  /** The file that a rotation must replace; undefined when the key is a setting. */
  readonly file: string | undefined;
};

export type FindMasterKey = {
  readonly directory: string;
  /** 64 hex digits from the configuration; undefined: the key of the file. */
  readonly given: string | undefined;
  /** Whether this key opens the secret store; undefined while the secret store is new. */
  readonly opens: ((key: Buffer) => boolean) | undefined;
  readonly randomBytes: RandomBytes;
};

/**
 * The master key of the secret store in `directory`. When the key is missing, or is not the one
 * that sealed the secret store, it throws and says what to do.
 */
export function findMasterKey({ directory, given, opens, randomBytes }: FindMasterKey): MasterKey {
  if (given !== undefined) {
    const key = parseMasterKey(given);
    if (opens === undefined || opens(key)) return { key, file: undefined };
    throw new Error(
      `The master key that is set does not open ${join(directory, 'vault.db')}: it is not the ` +
        'one that the secret store was sealed with, or was last rotated to.',
    );
  }
  const file = join(directory, 'master-key');
  if (opens === undefined) {
    return { key: parseMasterKey(readOrCreateSecretFile(file, randomBytes)), file };
  }
  return { key: openingKey(file, opens), file };
}

/** 32 bytes of 64 hex digits. */
export function parseMasterKey(text: string): Buffer {
  const digits = text.trim().toLowerCase();
  if (!secretPattern.test(digits)) throw new Error('A master key is 64 hex digits (32 bytes).');
  return Buffer.from(digits, 'hex');
}

/** First step of a rotation: writes the new key beside the old one. */
export function announceMasterKey(file: string, key: Buffer): void {
  writeSecretFile(successorOf(file), key.toString('hex'));
}

/**
 * Last step of a rotation, after the secret store's transaction: the new key replaces the old one.
 */
export function adoptMasterKey(file: string): void {
  assert(existsSync(successorOf(file)), 'a master key is announced before it is adopted');
  renameSync(successorOf(file), file);
  syncDirectory(dirname(file));
}

function successorOf(file: string): string {
  return `${file}.next`;
}

/**
 * Finishes or cancels a rotation that a crash interrupted. The secret store itself shows which key
 * opens it.
 */
function openingKey(file: string, opens: (key: Buffer) => boolean): Buffer {
  const present = readSecretFile(file);
  const next = readSecretFile(successorOf(file));
  if (present !== undefined && opens(Buffer.from(present, 'hex'))) {
    if (next !== undefined) rmSync(successorOf(file));
    return Buffer.from(present, 'hex');
  }
  if (next !== undefined && opens(Buffer.from(next, 'hex'))) {
    adoptMasterKey(file);
    return Buffer.from(next, 'hex');
  }
  throw new Error(
    present === undefined
      ? `The secret store's master key is missing: there is no ${file} and none is set. ` +
          'Without it no stored API secret can be read; put the key back or set it.'
      : `The key in ${file} does not open the secret store beside it. ` +
          'Put the right one back or set it.',
  );
}
