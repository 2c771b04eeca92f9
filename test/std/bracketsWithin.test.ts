// Goal: arrays and objects are counted before a text is parsed (WS-5), whatever the text contains.
// Method: a slow, obvious twin over random texts of brackets and strings; and the values that the
// platform's own parser makes.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bracketsWithin } from '../../src/std/bracketsWithin.ts';

/** Opening brackets that are left when strings are removed. */
const slowCount = (text: string): number =>
  text.replace(/"(?:[^"\\]|\\[\s\S])*("|\\?$)/g, '').replace(/[^[{]/g, '').length;

const pieces = ['[', '{', '[', '{"a":', ']', '}', '"', '\\', '\\"', '"[[["', ',', '1', ' ', 'é'];
const texts = fc
  .array(fc.constantFrom(...pieces), { maxLength: 40 })
  .map((parts) => parts.join(''));
const bounds = fc.integer({ min: 0, max: 10 });

test('arrays and objects are counted as by a simple counter', () => {
  fc.assert(
    fc.property(texts, bounds, (text, max) => {
      expect(bracketsWithin(text, max)).toBe(slowCount(text) <= max);
    }),
    { numRuns: 5000, seed: 1 },
  );
});

test('their number is that of the arrays and objects that JSON.parse makes', () => {
  const made = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, each) => sum + made(each), 1)
      : 0;
  // A name that comes twice would make two of one.
  const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value));
  fc.assert(
    fc.property(json, bounds, (text, max) => {
      expect(bracketsWithin(text, max)).toBe(made(JSON.parse(text)) <= max);
    }),
    { numRuns: 2000, seed: 2 },
  );
});

test('brackets in strings do not count, whatever is escaped', () => {
  const brackets = '[{'.repeat(100);
  expect(bracketsWithin(JSON.stringify({ text: `${brackets}"\\${brackets}` }), 1)).toBe(true);
  expect(bracketsWithin(`"\\"${brackets}`, 0)).toBe(true);
  expect(bracketsWithin(`"\\\\"${brackets}`, 199)).toBe(false);
  expect(bracketsWithin(`"\\\\"${brackets}`, 200)).toBe(true);
});
