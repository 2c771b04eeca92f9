// Secrets that the exchange makes at first start and keeps in the data directory: the master key,
// the JWT secret, the operator token. Each has its own file, mode 600, 64 hex digits.

import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { RandomBytes } from './secretStore.ts';

export const secretPattern = /^[0-9a-f]{64}$/;

/**
 * The secret in the file at `path`: 64 lower-case hex digits. When there is no such file, it is
 * made from 32 random bytes and is on the disk before this returns. Throws when the file contains
 * anything else: a new secret in its place would silently make everything useless that the old one
 * protects. The caller holds the lock of the data directory.
 */
export function readOrCreateSecretFile(path: string, randomBytes: RandomBytes): string {
  const present = readSecretFile(path);
  if (present !== undefined) return present;
  const secret = randomBytes(32).toString('hex');
  writeSecretFile(path, secret);
  return secret;
}

/**
 * The secret in the file, or undefined when there is no file. Throws when it contains no secret.
 */
export function readSecretFile(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const secret = readText(path).trim().toLowerCase();
  if (!secretPattern.test(secret)) {
    throw new Error(
      `${path} must hold 64 hex digits; it does not. Put the right file back from where you keep ` +
        'a copy; docs/runbook.md, "The data directory", says what is lost without it.',
    );
  }
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  return secret;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Writes the secret into the file, whole or not at all, and syncs file and directory. */
export function writeSecretFile(path: string, secret: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.draft`;
  const file = openSync(draft, 'w', 0o600);
  try {
    // A draft that a crash left behind still has its old mode.
    if (process.platform !== 'win32') chmodSync(draft, 0o600);
    writeSync(file, `${secret}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  syncDirectory(dirname(path));
}

/** Makes renames and removals in the directory durable. Windows syncs them itself. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
