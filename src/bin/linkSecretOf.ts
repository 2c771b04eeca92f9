// The secret by which the processes of a deployment prove to each other that they belong together:
// one of the credentials that they share, which each keeps as a file of its data directory.

import { join } from 'node:path';
import { readSecretFile } from '../secrets/secretFile.ts';
import type { DataDirectory } from './dataDirectory.ts';

/** undefined: this process does not have it yet. Throws when the file cannot be read. */
export function linkSecretOf({ path }: Pick<DataDirectory, 'path'>): Buffer | undefined {
  const text = readSecretFile(join(path, 'link-secret'));
  return text === undefined ? undefined : Buffer.from(text, 'hex');
}
