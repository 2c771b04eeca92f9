// `evermark vault rotate`: seals the secret store with another master key, while no exchange runs
// on the directory. A crash during the rotation leaves a secret store that the old or the new key
// opens.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, loadConfig } from '../config.ts';
import { lockDirectory } from '../log/file/lockDirectory.ts';
import { parseMasterKey } from '../secrets/masterKey.ts';
import { openSecretStore } from '../secrets/openSecretStore.ts';
import { findDataDirectory } from './dataDirectory.ts';
import { checkLogInFiles } from './deploymentMark.ts';
import type { VerbIo } from './operatorVerb.ts';
import { splitArguments } from './splitArguments.ts';
import { usageOf } from './usages.ts';

const variable = 'EVERMARK_NEW_MASTER_KEY';
const usage = usageOf('vault');

/** Gives the exit code. */
export async function runVault(args: readonly string[], io: VerbIo): Promise<number> {
  const { words, flags } = splitArguments(args);
  if (words.length !== 1 || words[0] !== 'rotate') throw new ConfigError(usage);
  const { data, masterKey } = loadConfig(flags, io.environment);
  const { path, log } = findDataDirectory(data);
  checkLogInFiles(path);
  if (!existsSync(join(path, 'vault.db')))
    throw new ConfigError(`${path} holds no secret store yet.`);
  const next = newKey(masterKey, io.environment[variable] ?? '');
  const lock = lockDirectory(log);
  try {
    const given = masterKey === '' ? undefined : masterKey;
    const secretStore = openSecretStore({ directory: path, masterKey: given, randomBytes });
    try {
      secretStore.rotate(next);
    } finally {
      secretStore.close();
    }
  } finally {
    lock.release();
  }
  const sealed = 'the secret store is sealed with';
  io.print(
    masterKey === ''
      ? `${sealed} the new key in ${join(path, 'master-key')}; keep a copy elsewhere`
      : `${sealed} the key of ${variable}: start with it as EVERMARK_MASTER_KEY`,
  );
  return 0;
}

/**
 * When the operator keeps the key, the exchange never makes one: the operator would not know it.
 */
function newKey(masterKey: string, given: string): string {
  if (given === '') {
    if (masterKey === '') return randomBytes(32).toString('hex');
    throw new ConfigError(`EVERMARK_MASTER_KEY is set, so the new key must be in ${variable}.`);
  }
  try {
    parseMasterKey(given);
  } catch (error) {
    throw new ConfigError(`${variable}: ${(error as Error).message}`);
  }
  if (given.trim().toLowerCase() === masterKey.trim().toLowerCase()) {
    throw new ConfigError(`${variable} is the key that the secret store has already.`);
  }
  return given;
}
