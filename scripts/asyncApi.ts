// Writes docs/api/asyncapi.json from the schemas of the sockets' messages; a test keeps it fresh.
// It leaves out the release's version, so that a release does not change it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncApi } from '../src/api/streams/asyncApi.ts';

const path = join(import.meta.dirname, '..', 'docs', 'api', 'asyncapi.json');
writeFileSync(path, `${JSON.stringify(asyncApi('v1'), null, 1)}\n`);
process.stdout.write(`${path}\n`);
