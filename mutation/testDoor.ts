// Replaces the module 'vitest' while mutants are judged: collects the tests of the loaded files, so
// that one process can run any of them, in any order, any number of times. It knows only what the
// tests of the engine use.

import {
  ASYMMETRIC_MATCHERS_OBJECT,
  chai,
  GLOBAL_EXPECT,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect';
import { spyOn } from '@vitest/spy';

type Body = (...given: unknown[]) => unknown;

export type CollectedTest = { readonly name: string; readonly run: () => unknown };

/** The tests of the files loaded so far. */
export const collected: CollectedTest[] = [];

const around: string[] = [];

export const test = Object.assign(
  (title: string, ...given: readonly (Body | object)[]): void => {
    const body = given.find((each): each is Body => typeof each === 'function')!;
    collected.push({ name: [...around, title].join(' > '), run: () => body() });
  },
  {
    each:
      (cases: readonly unknown[]) =>
      (title: string, body: Body): void => {
        for (const [index, each] of cases.entries()) {
          const given = Array.isArray(each) ? each : [each];
          const name = [...around, `${title} (case ${index})`].join(' > ');
          collected.push({ name, run: () => body(...given) });
        }
      },
  },
);

export const describe = Object.assign(
  (title: string, body: () => void): void => {
    around.push(title);
    body();
    around.pop();
  },
  {
    each:
      (cases: readonly unknown[]) =>
      (title: string, body: Body): void => {
        for (const each of cases) {
          const given = Array.isArray(each) ? each : [each];
          describe(title.replace('%s', String(given[0])), () => body(...given));
        }
      },
  },
);

const preparations: Body[] = [];

/** Runs as soon as its file is loaded, because any test may be the first. */
export function beforeAll(body: Body): void {
  preparations.push(body);
}

/** Runs at the end of the process, which waits for nothing. */
export function afterAll(body: Body): void {
  process.once('exit', body);
}

/** Loads a test file, with the file's path before the names of its tests. */
export async function collecting(path: string, load: () => Promise<unknown>): Promise<void> {
  around.push(path);
  await load();
  for (const prepare of preparations.splice(0)) await prepare();
  around.pop();
}

export const vi = { spyOn };

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

const bare = (value: unknown, message?: string): unknown => chai.expect(value, message);
export const expect = Object.assign(
  bare,
  chai.expect,
  (globalThis as Record<symbol, object>)[ASYMMETRIC_MATCHERS_OBJECT],
);
Object.assign(globalThis, { [GLOBAL_EXPECT]: expect });
setState({ ...getState(expect as never), assertionCalls: 0 }, expect as never);
