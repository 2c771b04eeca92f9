// Writes docs/api/openapi.json from the operations table; a test keeps it fresh. It leaves out the
// release's version, so that a release does not change it.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openApi } from '../src/api/openApi.ts';
import { operations } from '../src/api/operations.ts';
import { readExamples } from '../src/bin/readExamples.ts';

const columnsMax = 100;

/** JSON with short values in one line, so that a change touches as few lines as possible. */
function jsonText(value: unknown, indent: string): string {
  const flat = JSON.stringify(value);
  const fits = indent.length + flat.length <= columnsMax;
  if (fits || typeof value !== 'object' || value === null) return flat;
  const inner = `${indent} `;
  if (Array.isArray(value)) {
    const items = value.map((item) => inner + jsonText(item, inner));
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${inner}${JSON.stringify(name)}: ${jsonText(member, inner)}`);
  return `{\n${members.join(',\n')}\n${indent}}`;
}

const path = join(import.meta.dirname, '..', 'docs', 'api', 'openapi.json');
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, `${jsonText(openApi(operations, 'v1', readExamples()), '')}\n`);
process.stdout.write(`${path}\n`);
