// The hash of the sources that decide what a command does. It goes into every batch, so that a log
// says which engine ran it.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folders = ['std', 'units', 'engine'];

/** SHA-256 over names and texts, in hex. Cost: reads about a hundred small files. */
export function hashEngineSources(): string {
  const root = join(import.meta.dirname, '..');
  const hash = createHash('sha256');
  for (const folder of folders) {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => name.replaceAll('\\', '/'))
      .sort();
    for (const name of names) {
      const text = readFileSync(join(root, folder, name), 'utf8').replaceAll('\r\n', '\n');
      hash.update(`${folder}/${name} ${text.length}\n`).update(text);
    }
  }
  return hash.digest('hex');
}
