// The tests that judge mutants ask nothing of their runner that mutation/testDoor.ts, which takes
// its place, does not have: otherwise `npm run mutate` ends before its first mutant.

import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { judgedTests } from '../../mutation/judgedTests.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const door = read('mutation/testDoor.ts');
const exported = [...door.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name!);
const members = [...door.matchAll(/\b(each)\b:|\b(spyOn)\b \}/g)].map(([, a, b]) => a ?? b!);

/** `afterAll`, `test.skipIf`: what a text uses of the runner and the door does not have. */
function missingIn(text: string): string[] {
  const names = [...text.matchAll(/^import \{([^}]*)\} from 'vitest'/gm)]
    .flatMap(([, list]) => list!.split(','))
    .map((name) => name.trim());
  const used = [...text.matchAll(/^\s*(?:test|describe|vi)\.(\w+)[(<]/gm)].map(([, name]) => name!);
  return [
    ...names.filter((name) => !exported.includes(name)),
    ...used.filter((name) => !members.includes(name)),
  ];
}

test('the judge has what its tests use of the runner', () => {
  const files = globSync([...judgedTests], { cwd: root });
  expect(files.length).toBeGreaterThan(100);
  const missing = files.flatMap((path) => missingIn(read(path)).map((name) => `${path}: ${name}`));
  expect(missing).toEqual([]);
  const planted = "import { afterEach, test } from 'vitest';\ntest.skipIf(true)('one', () => {});";
  expect(missingIn(planted)).toEqual(['afterEach', 'skipIf']);
});
