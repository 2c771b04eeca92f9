// Writes docs/api/openapi.json from the operations table; a test keeps it fresh. The release's
// version is left out, so that a release does not change it.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openApi } from '../src/api/openApi.ts';
import { documentedOperations } from '../src/api/operations.ts';

const path = join(import.meta.dirname, '..', 'docs', 'api', 'openapi.json');
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, `${JSON.stringify(openApi(documentedOperations, 'v1'), null, 1)}\n`);
process.stdout.write(`${path}\n`);
