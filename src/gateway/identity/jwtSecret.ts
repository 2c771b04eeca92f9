// The secret of tokens and login nonces: a setting, or a file in the data directory that the first
// start makes.

import { join } from 'node:path';
import { readOrCreateSecretFile } from '../../secrets/secretFile.ts';
import type { RandomBytes } from '../../secrets/secretStore.ts';

const lengthMin = 32;

export type FindJwtSecret = {
  readonly directory: string;
  /** The configured secret; undefined takes the file's. */
  readonly given: string | undefined;
  readonly randomBytes: RandomBytes;
};

/** The secret's text. Throws when the configured one is too short to be a key. */
export function findJwtSecret({ directory, given, randomBytes }: FindJwtSecret): string {
  if (given === undefined) {
    return readOrCreateSecretFile(join(directory, 'jwt-secret'), randomBytes);
  }
  if (given.length < lengthMin) {
    throw new Error(`The JWT secret must have at least ${lengthMin} characters.`);
  }
  return given;
}
