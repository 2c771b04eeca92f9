// Goal: the time to read a request is in proportion to its size, for every content (AUTH-10).
// Method: the same results as the platform's decoder and as a slow, obvious twin; and hostile
// texts, each compared with as many bytes of plain orders within one run.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/api/parseJson.ts';
import { decodeEscapes } from '../../src/gateway/decodeEscapes.ts';
import { type Pairs, pairsMax, parsePairs } from '../../src/gateway/parsePairs.ts';
import { requestBodyOf } from '../../src/gateway/requestBody.ts';
import { requestFields } from '../../src/gateway/requestFields.ts';

/** The platform's result, with undefined for its exception. */
function platformDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

const escapes = fc.oneof(
  fc.string({ unit: 'grapheme' }).filter((text) => text.isWellFormed()),
  fc
    .string({ unit: 'grapheme' })
    .filter((text) => text.isWellFormed())
    .map(encodeURIComponent),
  // Bytes at and beside the borders of UTF-8, complete and cut off.
  fc
    .array(
      fc.constantFrom(
        ...['%41', '%7F', '%80', '%BF', '%C0', '%C1', '%C2', '%c3%a4', '%DF', '%E0', '%9f'],
        ...['%A0', '%ED', '%EF', '%F0', '%90', '%8f', '%F4', '%F5', '%ff', '%', '%4', '%g0', '+'],
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join('')),
);

test('AUTH-10 decoding gives the result of the platform, and undefined for its exceptions', () => {
  fc.assert(
    fc.property(escapes, (text) => {
      expect(decodeEscapes(text)).toBe(platformDecoded(text));
    }),
    { numRuns: 5000, seed: 1 },
  );
});

/** The obvious parser. */
function slowPairs(raw: string): unknown[] {
  return raw
    .split('&')
    .filter((segment) => segment !== '')
    .map((segment) => {
      const [name = '', ...rest] = segment.split('=');
      const value = rest.join('=');
      return [platformDecoded(name) ?? name, platformDecoded(value) ?? value, segment];
    });
}

const shown = ({ raw, items }: Pairs): unknown[] =>
  items.map(({ name, value, start, end }) => [name, value, raw.slice(start, end)]);

test('AUTH-10 pairs are read as by a simple reader', () => {
  const texts = fc
    .array(fc.oneof(escapes, fc.constantFrom('&', '&&', '=', 'a=1', 'b', '=c')), { maxLength: 12 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, (raw) => {
      expect(shown(parsePairs(raw))).toEqual(slowPairs(raw));
    }),
    { numRuns: 2000, seed: 2 },
  );
});

describe('AUTH-10 bounds of reading', () => {
  test('more than 256 pairs are malformed, and reading stops there', () => {
    const legal = parsePairs('a&'.repeat(pairsMax));
    expect([legal.broken, legal.items.length]).toEqual([false, pairsMax]);
    const beyond = parsePairs('a&'.repeat(500_000));
    expect([beyond.broken, beyond.items.length]).toEqual([true, pairsMax]);
    const body = requestBodyOf(Buffer.from('orderIdList=1&'.repeat(1000)), undefined);
    expect(requestFields(parsePairs(''), body, undefined)).toEqual({ reason: 'requestMalformed' });
  });

  test('more than 1,024 values or 64 members of an object are malformed JSON', () => {
    const list = (size: number) => `[${Array(size).fill('1').join(',')}]`;
    expect(parseJson(list(1023))).toHaveLength(1023);
    expect(parseJson(list(1024))).toBeUndefined();
    const object = (size: number) =>
      `{${Array.from({ length: size }, (_, i) => `"m${i}":""`).join(',')}}`;
    expect(parseJson(object(64))).toBeDefined();
    expect(parseJson(object(65))).toBeUndefined();
  });
});

/** The shortest of several times, in microseconds, to leave out other work of the machine. */
function microseconds(work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 5; i += 1) {
    const begun = process.hrtime.bigint();
    work();
    best = Math.min(best, Number(process.hrtime.bigint() - begun) / 1000);
  }
  return best;
}

const read = (text: string): void => {
  const body = requestBodyOf(Buffer.from(text), undefined);
  requestFields(parsePairs(text), body, 'batchorders');
};

test.each([
  'a&',
  '%&',
  '%ff&',
  '&',
  '+',
  '%41',
  '%f0%9f%98%80',
  'orderIdList=1&',
  'a=1&',
  ' ',
  '[',
  '{"a":',
  '["\\u0041",',
  '"\\',
])(
  'AUTH-10 a megabyte of %j costs no more than ten times what as many bytes of orders cost',
  (unit) => {
    const size = 1024 * 1024;
    const hostile = unit.repeat(size / unit.length);
    const order = 'symbol=BTCUSDT&side=BUY&type=LIMIT&quantity=0.010&price=59000.5&timeInForce=GTC';
    const reference = microseconds(() => {
      for (let bytes = 0; bytes < size; bytes += order.length) read(order);
    });
    expect(microseconds(() => read(hostile)) / reference).toBeLessThan(10);
  },
);
