// Every reason for which the engine rejects and every rule code of the present scope is named by a
// test, every code by the source too, and the rule book and the tests name each other rightly.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

const series = (family: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${family}-${from + index}`);

/** The rules of the exchange. */
const codes = [
  ...series('UNIT', 1, 5),
  ...series('ID', 1, 3),
  ...series('SYM', 0, 2),
  ...series('BAL', 1, 4),
  ...series('ORD', 1, 13),
  ...series('MAR', 1, 8),
  ...series('PRC', 1, 4),
  'OI-1',
  'OI-2',
  ...series('FUND', 1, 4),
  ...series('LIQ', 1, 7),
  ...series('TRG', 1, 5),
  'TRG-7',
  ...series('ATT', 1, 9),
  ...series('COD', 1, 7),
  ...series('AUTH', 1, 8),
  ...series('NAT', 1, 4),
  ...series('CON', 1, 5),
  ...series('VLT', 1, 6),
  ...series('OPS', 1, 3),
  ...series('OPS', 7, 8),
  ...series('WS', 1, 6),
  ...series('HIST', 1, 3),
  'NUM-1',
];

function filesBelow(folder: string, suffix: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path, suffix);
    return path.endsWith(suffix) ? [path] : [];
  });
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The text of a source without its comments. */
const codeOf = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

// This file names everything and proves nothing; helpers of tests carry cases and their titles.
const sources = filesBelow('test', '.ts')
  .filter((path) => !path.endsWith('coverage.test.ts'))
  .map((path) => ({ path, text: codeOf(read(path)) }));

const titlePattern =
  /\b(?:test|it|describe|scenario|eachDatabase)(?:\.\w+)*(?:\([^()]*\))?\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/g;

const titles = sources.flatMap(({ text }) =>
  [...text.matchAll(titlePattern)].map((match) => match[2]!),
);

const named = (texts: readonly string[], word: string): boolean => {
  const whole = new RegExp(`(?<![\\w-])${word}(?![\\w-])`);
  return texts.some((text) => whole.test(text));
};

const reasons = [
  ...new Set([...read('src/engine/rejection.ts').matchAll(/reason: '(\w+)'/g)].map(([, r]) => r!)),
];

test('there are reasons and titles to look at', () => {
  expect(reasons.length).toBeGreaterThan(30);
  expect(titles.length).toBeGreaterThan(200);
});

/** More than these at once are the title of a storm, which proves none of them in particular. */
const subjectsMax = 3;
const codePattern = /^[A-Z]+-\d+[a-z]?$/;

/** The rules and reasons that a title opens with: these are what its test is about. */
function subjectsOf(title: string): string[] {
  const words = title.split(/[\s,:]+/);
  const end = words.findIndex((word) => !codePattern.test(word) && !reasons.includes(word));
  const subjects = words.slice(0, end < 0 ? words.length : end);
  return subjects.filter((word) => codePattern.test(word)).length > subjectsMax ? [] : subjects;
}

const proved = new Set(titles.flatMap(subjectsOf));

test('a title proves what it opens with, and a storm nothing', () => {
  expect(subjectsOf('ORD-3 slippageExceeded: the average')).toEqual(['ORD-3', 'slippageExceeded']);
  expect(subjectsOf('ORD-2a MAR-1, FUND-4: three')).toEqual(['ORD-2a', 'MAR-1', 'FUND-4']);
  expect(subjectsOf('a crash, LIQ-3')).toEqual([]);
  expect(subjectsOf('LIQ-1 LIQ-2 LIQ-3 LIQ-4 a storm')).toEqual([]);
});

describe('a test opens with the reason', () => {
  test.each(reasons)('%s', (reason) => {
    expect([...proved], `no title opens with ${reason}`).toContain(reason);
  });
});

describe('a test opens with the rule', () => {
  test.each(codes)('%s', (code) => {
    expect([...proved], `no title opens with ${code}`).toContain(code);
  });
});

describe('the source names the rule where it is carried out', () => {
  const texts = filesBelow('src', '.ts').map(read);
  test.each(codes)('%s', (code) => {
    expect(named(texts, code), `no file of src names ${code}`).toBe(true);
  });
});

const pages = filesBelow('docs/rules', '.md').map((path) => ({ path, text: read(path) }));

describe('the rule book', () => {
  test.each(codes)('states %s under its code', (code) => {
    const headings = pages.flatMap(({ text }) => text.match(/^### .*$/gm) ?? []);
    const heading = new RegExp(`^### ${code}(?![\\w-])`);
    expect(headings.some((line) => heading.test(line))).toBe(true);
  });

  test('names only tests that exist', () => {
    const cited = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:Scenario|Test): `([^`]+)`/gm)].map((match) => ({
        path,
        title: match[1]!,
      })),
    );
    expect(cited.length).toBeGreaterThan(100);
    expect(cited.filter(({ title }) => !titles.includes(title))).toEqual([]);
  });

  test('every code of its own (ORD-11a) is named by a test', () => {
    const own = pages.flatMap(({ text }) =>
      [...text.matchAll(/^### ([A-Z]+-\d+[a-z])\b/gm)].map((match) => match[1]!),
    );
    expect(own.length).toBeGreaterThan(5);
    expect(own.filter((code) => !proved.has(code))).toEqual([]);
  });

  test('the index lists every page', () => {
    const index = read('docs/rules/README.md');
    const missing = pages
      .map(({ path }) => path.replace('docs/rules/', ''))
      .filter((name) => name !== 'README.md' && !index.includes(`](${name})`));
    expect(missing).toEqual([]);
  });
});
