// How a request's bytes become names and texts: pairs, JSON and their merging.

import { describe, expect, test } from 'vitest';
import { isFields, jsonNull } from '../../src/api/fields.ts';
import { parseJson } from '../../src/api/parseJson.ts';
import { cutPair, parsePairs, queryOf, rejoinDecoded } from '../../src/gateway/parsePairs.ts';
import { requestBodyOf } from '../../src/gateway/requestBody.ts';
import { queryFields, requestFields } from '../../src/gateway/requestFields.ts';

describe('UNIT-4 JSON is read from its source text', () => {
  test('numbers keep every digit and their form', () => {
    const parsed = parseJson('{"a":0.10,"b":1e-7,"c":123456789012345678901,"d":-0.0}');
    expect([...(parsed as Map<string, string>)]).toEqual([
      ['a', '0.10'],
      ['b', '1e-7'],
      ['c', '123456789012345678901'],
      ['d', '-0.0'],
    ]);
  });

  test('strings, words, lists and nested objects', () => {
    const parsed = parseJson(
      ' { "A" : "x\\u0041\\n" , "b" : [ true , false , {} ] , "c" : null } ',
    );
    const fields = parsed as Map<string, unknown>;
    expect(fields.get('a')).toBe('xA\n');
    const [yes, no, empty] = fields.get('b') as [string, string, Map<string, string>];
    expect([yes, no, empty.size]).toEqual(['true', 'false', 0]);
    expect(fields.get('c')).toBe(jsonNull);
  });

  test('names of the prototype are names like any other', () => {
    const parsed = parseJson('{"__proto__":"1","constructor":"2","toString":"3"}');
    expect(isFields(parsed!)).toBe(true);
    expect([...(parsed as Map<string, string>).keys()]).toEqual([
      '__proto__',
      'constructor',
      'tostring',
    ]);
    expect(({} as Record<string, unknown>)['1']).toBeUndefined();
  });

  test.each([
    '',
    ' ',
    '{',
    '}',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,}',
    '[1,]',
    '[1 2]',
    '{"a":1}{"b":2}',
    '{a:1}',
    "{'a':1}",
    '{"a":01}',
    '{"a":+1}',
    '{"a":.5}',
    '{"a":1.}',
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":0x10}',
    '{"a":tru}',
    '{"a":"\n"}',
    '{"a":"\\x"}',
    '{"a":"\\u12"}',
    '{"a":"x}',
    '{"a":1,"A":2}',
    '{"a":1,"a":1}',
    '['.repeat(200_000),
    `${'['.repeat(20)}${']'.repeat(20)}`,
    '{"a":'.repeat(200_000),
  ])('malformed: %.20s', (text) => {
    expect(parseJson(text)).toBeUndefined();
  });

  test('everything that JSON.parse reads is read, and nothing else', () => {
    const samples = ['1', '-1.5E+10', '"a"', '[]', '[[],{}]', '{"x":[1,"2",{"y":null}]}', 'true'];
    for (const text of samples) expect(parseJson(text), text).toBeDefined();
  });
});

describe('the pairs of a query', () => {
  test('names are read in any case, escapes and plus signs are decoded, positions stay', () => {
    const pairs = parsePairs('aB=1&&c%2Fd=x%20y+z&e&=f&g=h=i');
    expect(pairs.items.map(({ key, name, value }) => [key, name, value])).toEqual([
      ['ab', 'aB', '1'],
      ['c/d', 'c/d', 'x y z'],
      ['e', 'e', ''],
      ['', '', 'f'],
      ['g', 'g', 'h=i'],
    ]);
    expect(pairs.broken).toBe(false);
  });

  test('a bad escape is detected', () => {
    expect(parsePairs('a=%zz').broken).toBe(true);
    expect(parsePairs('a=%ff').broken).toBe(true);
    expect(queryFields(parsePairs('a=%zz'))).toEqual({ reason: 'requestMalformed' });
  });

  test.each([
    ['s=1', ''],
    ['s=1&a=2', 'a=2'],
    ['a=2&s=1', 'a=2'],
    ['a=2&s=1&b=%20', 'a=2&b=%20'],
  ])('AUTH-2 the pair is removed by position: %s', (raw, rest) => {
    const pairs = parsePairs(raw);
    expect(cutPair(pairs, pairs.items.find(({ key }) => key === 's')!)).toBe(rest);
  });

  test.each(['a=x%26y', 'a=x%3Dy', 'a%3D=1', 'a=x%0Ay', 'a=%00', 'a=%C2%85'])(
    'AUTH-2 an ambiguous text is not joined again: %s',
    (raw) => {
      expect(rejoinDecoded(parsePairs(raw), undefined)).toBeUndefined();
    },
  );

  test('bytes outside ASCII are UTF-8', () => {
    const url = Buffer.from('/x?a=ü', 'utf8').toString('latin1');
    expect(queryOf(url)).toBe('a=ü');
    expect(queryOf('/x')).toBe('');
  });
});

describe('AUTH-3 bodies', () => {
  test.each([
    [undefined, 'application/json', 'none'],
    [Buffer.alloc(0), 'application/json', 'none'],
    [Buffer.from(' \r\n\t'), 'application/json', 'none'],
    [Buffer.from('{}'), undefined, 'json'],
    [Buffer.from('[]'), 'application/x-www-form-urlencoded', 'json'],
    [Buffer.from(' {}'), 'application/json; charset=utf-8', 'json'],
    [Buffer.from('a=1'), 'application/x-www-form-urlencoded', 'form'],
    [Buffer.from('a=1'), undefined, 'form'],
    [Buffer.from('a=1'), 'application/json', 'json'],
  ])('%s as %s is %s', (bytes, type, kind) => {
    expect(requestBodyOf(bytes, type).kind).toBe(kind);
  });

  const json = (text: string) => requestBodyOf(Buffer.from(text), 'application/json');
  const form = (text: string) => requestBodyOf(Buffer.from(text), undefined);

  test('JSON has precedence over the query, and the query over a form', () => {
    const query = parsePairs('a=1&b=2');
    const fromJson = requestFields(query, json('{"B":3,"c":4}'), undefined);
    expect(Object.fromEntries(fromJson as Map<string, string>)).toEqual({ a: '1', b: '3', c: '4' });
    const fromForm = requestFields(query, form('b=3&c=4'), undefined);
    expect(Object.fromEntries(fromForm as Map<string, string>)).toEqual({ a: '1', b: '2', c: '4' });
  });

  test.each(['[]', '1', '"x"', 'null', '{', '{"a":1,"A":1}'])(
    '-1102 a body that is no object: %s',
    (text) => {
      expect(requestFields(parsePairs(''), json(text), undefined)).toEqual({
        reason: 'bodyMalformed',
      });
    },
  );

  test('a bare array is the list of a row that accepts one', () => {
    const fields = requestFields(parsePairs(''), json('[{"a":1}]'), 'batchorders');
    expect((fields as Map<string, unknown[]>).get('batchorders')).toHaveLength(1);
  });

  test('AUTH-2 a name twice in one source is -1102, in any case', () => {
    const malformed = { reason: 'parameterMalformed', name: 'SYMBOL' };
    expect(queryFields(parsePairs('symbol=a&SYMBOL=b'))).toEqual(malformed);
    expect(requestFields(parsePairs(''), form('symbol=a&SYMBOL=b'), undefined)).toEqual(malformed);
  });

  test('AUTH-2 the two lists of ids may be repeated', () => {
    const pairs = parsePairs('orderIdList=a&orderIdList=b&orderidlist=c');
    const fields = queryFields(pairs) as Map<string, string[]>;
    expect(fields.get('orderidlist')).toEqual(['a', 'b', 'c']);
    const clients = queryFields(parsePairs('origClientOrderIdList=a&origclientorderidlist=b'));
    expect((clients as Map<string, string[]>).get('origclientorderidlist')).toEqual(['a', 'b']);
  });
});
