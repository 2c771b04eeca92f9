// Recorded answers of strangers, as text and as JSON.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function fixtureText(name: string): string {
  return readFileSync(join(import.meta.dirname, 'fixtures', `${name}.json`), 'utf8');
}

// biome-ignore lint/suspicious/noExplicitAny: a test changes recorded answers of any shape
export function readFixture(name: string): any {
  return JSON.parse(fixtureText(name));
}
