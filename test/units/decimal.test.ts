// UNIT-4: decimal text becomes whole numbers and comes back, exactly. What clients see of it is
// in test/api/fapiOrderReading.test.ts.

import { describe, expect, test } from 'vitest';
import { Fault } from '../../src/std/assert.ts';
import {
  formatQuotient,
  formatScaled,
  formatSteps,
  formatTrimmed,
  parseDecimal,
  parseScaled,
} from '../../src/units/decimal.ts';
import { moneyDecimals, rateDecimals, rateOne, usdt } from '../../src/units/units.ts';

const max = Number.MAX_SAFE_INTEGER;

describe('UNIT-4 a decimal is its digits and the number of digits after the point', () => {
  test.each([
    ['0', false, 0n, 0],
    ['60000.10', false, 6000010n, 2],
    ['+1.5', false, 15n, 1],
    ['-1.5', true, 15n, 1],
    ['5.', false, 5n, 0],
    ['.25', false, 25n, 2],
    ['+.5', false, 5n, 1],
    ['-.5', true, 5n, 1],
    ['1e-3', false, 1n, 3],
    ['-1.25E1', true, 125n, 1],
    ['1.5e+1', false, 15n, 0],
    ['1.5e3', false, 1500n, 0],
    ['+2.e2', false, 200n, 0],
    ['1e40', false, 10n ** 40n, 0],
    ['1e-40', false, 1n, 40],
    [`0.${'1'.repeat(62)}`, false, BigInt('1'.repeat(62)), 62],
  ])('%s', (text, negative, digits, scale) => {
    expect(parseDecimal(text)).toEqual({ negative, digits, scale });
  });

  test.each([
    '',
    '.',
    '-',
    'abc',
    ' 1',
    '1,5',
    '1.2.3',
    '--1',
    '0x10',
    'NaN',
    '1e',
    '1e41',
    '1e-41',
    '.5e1',
    `0.${'1'.repeat(63)}`,
  ])('%j is none', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
    expect(parseScaled(text, 2)).toEqual({ kind: 'malformed' });
  });
});

describe('UNIT-4 UNIT-5 text becomes whole units or is refused', () => {
  test.each([
    ['60000.1', 1, 1, 'exact', 600_001],
    ['-0.25', 2, 1, 'exact', -25],
    ['-0', 2, 1, 'exact', 0],
    ['1.500', 1, 1, 'exact', 15],
    ['7', 0, 1, 'exact', 7],
    // Three ticks of 0.5, and values between two of them.
    ['1.5', 1, 5, 'exact', 3],
    ['1.50', 1, 5, 'exact', 3],
    ['1.7', 1, 5, 'inexact', 3],
    ['1.55', 1, 1, 'inexact', 15],
    ['-1.55', 1, 1, 'inexact', -15],
    ['0.0199', 1, 1, 'inexact', 0],
    ['-0.09', 1, 1, 'inexact', 0],
    [String(max), 0, 1, 'exact', max],
  ])('%s at %i decimals in steps of %i', (text, decimals, step, kind, value) => {
    expect(parseScaled(text, decimals, step)).toEqual({ kind, value });
  });

  test('the step is one unit by default', () => {
    expect(parseScaled('0.03', 2)).toEqual({ kind: 'exact', value: 3 });
  });

  test('a number beyond the safe integers is out of range, on either side', () => {
    const beyond = { kind: 'outOfRange' };
    expect(parseScaled('9007199254740992', 0)).toEqual(beyond);
    expect(parseScaled('-9007199254740992', 0)).toEqual(beyond);
    expect(parseScaled('9007199254740991.9', 0)).toEqual({ kind: 'inexact', value: max });
  });
});

describe('UNIT-4 whole units become text', () => {
  test.each([
    [600_001, 1, '60000.1', '60000.1'],
    [600_000, 1, '60000.0', '60000'],
    [5, 3, '0.005', '0.005'],
    [-1, 3, '-0.001', '-0.001'],
    [-0, 1, '0.0', '0'],
    [-1_500_000, 6, '-1.500000', '-1.5'],
    [0, 2, '0.00', '0'],
    [-0, 0, '0', '0'],
    [70, 0, '70', '70'],
    [-70, 0, '-70', '-70'],
    [10n ** 20n, 2, '1000000000000000000.00', '1000000000000000000'],
    [-(10n ** 20n), 0, '-100000000000000000000', '-100000000000000000000'],
  ])('%s at %i decimals', (value, decimals, scaled, trimmed) => {
    expect(formatScaled(value, decimals)).toBe(scaled);
    expect(formatTrimmed(value, decimals)).toBe(trimmed);
  });

  test('a number without an exact text is a fault', () => {
    for (const value of [0.5, max + 1, Number.NaN]) {
      expect(() => formatScaled(value, 2)).toThrow(Fault);
    }
  });

  test('steps of a grid', () => {
    expect(formatSteps(3, { decimals: 1, step: 5 })).toBe('1.5');
    expect(formatSteps(-3n, { decimals: 2, step: 25 })).toBe('-0.75');
  });

  test('UNIT-1 one USDT, and the rate of 1', () => {
    expect(formatScaled(usdt, moneyDecimals)).toBe('1.000000');
    expect(formatScaled(rateOne, rateDecimals)).toBe('1.00000000');
  });
});

describe('UNIT-2 UNIT-4 a quotient has a bounded number of decimals, half to even', () => {
  test.each([
    [1n, 3n, 2, '0.33'],
    [2n, 3n, 2, '0.67'],
    [-2n, 3n, 2, '-0.67'],
    // Halves: 0.125, 0.135, 0.25 less a little.
    [125n, 1000n, 2, '0.12'],
    [135n, 1000n, 2, '0.14'],
    [-125n, 1000n, 2, '-0.12'],
    [2499n, 10_000n, 1, '0.2'],
    [5n, 2n, 0, '2'],
    [7n, 2n, 0, '4'],
    [18_060n, 3n, 8, '6020'],
    [1n, 10n, 3, '0.1'],
    [1n, 1000n, 3, '0.001'],
    [-1n, 1000n, 2, '0'],
    [0n, 7n, 3, '0'],
    [999n, 1000n, 2, '1'],
    [-30n, 4n, 3, '-7.5'],
    [-1n, 2n, 1, '-0.5'],
  ])('%i / %i at %i decimals', (numerator, denominator, decimals, text) => {
    expect(formatQuotient(numerator, denominator, decimals)).toBe(text);
  });

  test('a division by zero or less is a fault', () => {
    expect(() => formatQuotient(1n, 0n, 2)).toThrow(Fault);
    expect(() => formatQuotient(1n, -1n, 2)).toThrow(Fault);
  });
});
