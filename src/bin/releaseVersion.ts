// The version of this release, as package.json has it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function releaseVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
