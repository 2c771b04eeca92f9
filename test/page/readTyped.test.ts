// Typed decimals become wire text exactly, or are refused; nothing is guessed and nothing rounded.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gridText, plainText, scaledOf, stepsOf } from '../../src/page/state/grid.ts';
import { compact, cut, grouping, signed } from '../../src/page/state/grouping.ts';
import { readTyped } from '../../src/page/state/readTyped.ts';

const tick = { decimals: 1, step: 1 };
const half = { decimals: 1, step: 5 };

test.each([
  ['50000', 500000n],
  ['50000.5', 500005n],
  [' 50 000.5 ', 500005n],
  ['50,000.5', 500005n],
  ['1,234,567.8', 12345678n],
  ['0,5', 5n],
  ['12,3', 123n],
  ['.5', 5n],
  ['5.', 50n],
  ["1'000", 10000n],
  ['1_234_567.8', 12345678n],
  ['1\u202f234\u202f567,8', 12345678n],
  ['\u00a012\u00a0345\n', 123450n],
  ['1.0000000000', 10n],
  ['900719925474099.1', 9007199254740991n],
])('%j is read', (typed, steps) => {
  expect(readTyped(typed, tick)).toEqual({ kind: 'steps', steps });
});

test.each([
  ['', 'empty'],
  ['   ', 'empty'],
  ['1,234', 'ambiguous'],
  ['12,345,678', 'ambiguous'],
  ['0', 'malformed'],
  ['0.0', 'malformed'],
  ['-5', 'malformed'],
  ['+5', 'malformed'],
  ['1e5', 'malformed'],
  ['0x10', 'malformed'],
  ['1.2.3', 'malformed'],
  ['1,2,3', 'malformed'],
  ['1,23,456.7', 'malformed'],
  ['50000 0.5', 'malformed'],
  ['50000\t0.5', 'malformed'],
  ['1 2', 'malformed'],
  ['12 34', 'malformed'],
  ["1 234'567", 'malformed'],
  ['0. 5', 'malformed'],
  ['NaN', 'malformed'],
  ['Infinity', 'malformed'],
  ['٣', 'malformed'],
  ['<img src=x onerror=alert(1)>', 'malformed'],
  ['9'.repeat(41), 'malformed'],
  ['0.05', 'offGrid'],
  ['50000.55', 'offGrid'],
  ['900719925474099.2', 'tooLarge'],
  ['99999999999999999999', 'tooLarge'],
])('%j is %s', (typed, kind) => {
  expect(readTyped(typed, tick)).toEqual({ kind });
});

test('a grid of several steps takes its multiples alone', () => {
  expect(readTyped('1.5', half)).toEqual({ kind: 'steps', steps: 3n });
  expect(readTyped('1.4', half)).toEqual({ kind: 'offGrid' });
});

describe('over any grid', () => {
  const grids = fc.record({
    decimals: fc.integer({ min: 0, max: 8 }),
    step: fc.constantFrom(1, 2, 5, 10, 25, 50),
  });
  const counts = fc.bigInt({ min: 1n, max: 2n ** 53n - 1n });

  test('what is shown reads back as the same steps, with separators and with a comma', () => {
    fc.assert(
      fc.property(grids, counts, (grid, steps) => {
        const text = gridText(steps, grid);
        expect(stepsOf(text, grid)).toBe(steps);
        expect(readTyped(text, grid)).toEqual({ kind: 'steps', steps });
        const comma = readTyped(text.replace('.', ','), grid);
        expect(['steps', 'ambiguous']).toContain(comma.kind);
        if (comma.kind === 'steps') expect(comma.steps).toBe(steps);
        if (text.includes('.')) {
          expect(readTyped(grouping(text), grid)).toEqual({ kind: 'steps', steps });
        }
      }),
    );
  });

  test('any text is refused, or its decimal is exactly the steps', () => {
    const typed = fc.stringMatching(/^[-+0-9., eE]{0,12}$/);
    fc.assert(
      fc.property(grids, typed, (grid, text) => {
        const read = readTyped(text, grid);
        if (read.kind !== 'steps') return;
        // Inside, a space is followed by three digits, and so are all after it.
        expect(text.trim()).toMatch(/^[^ ]*$|^\d{1,3}(?: \d{3})+(?:[.,]\d*)?$/);
        const plain = text.replace(/ /g, '');
        const both = plain.includes('.') && plain.includes(',');
        const wire = both ? plain.replaceAll(',', '') : plain.replace(',', '.');
        // The slow twin: both as whole 10^-20.
        expect(scaledOf(gridText(read.steps, grid), 20)).toBe(scaledOf(wire, 20));
      }),
      { numRuns: 2000 },
    );
  });
});

test('texts for people cut and never round', () => {
  expect(cut('1234567.899', 2)).toBe('1,234,567.89');
  expect(cut('-0.009', 2)).toBe('0.00');
  expect(signed(-5n, 2)).toBe('-0.05');
  expect(signed(123456n, 2)).toBe('+1,234.56');
  expect(plainText(-1n, 6)).toBe('-0.000001');
  expect(compact('999.5')).toBe('999.50');
  expect(compact('621450.12')).toBe('621.45K');
  expect(compact('9007199254740993000')).toBe('9,007,199,254.74B');
});
