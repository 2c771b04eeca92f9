// The examples of the documentation, from the file beside it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiExamples } from '../api/examples.ts';

const path = join(import.meta.dirname, '../../docs/api/examples.json');

/** Throws when the file is not where a checkout has it. */
export function readExamples(): ApiExamples {
  return JSON.parse(readFileSync(path, 'utf8'));
}
