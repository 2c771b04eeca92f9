// Defects of a value, by the way in which it is read, and the reason that must answer each.

import type { Reading } from '../../src/api/parameterSchema.ts';
import type { Refusal } from '../../src/api/refusal.ts';

export type BadValue = {
  /** The value's JSON source text, which need not be JSON. */
  readonly source: string;
  /** The reason that must be given; `refused` for any, `either` where it may also pass. */
  readonly answer: Refusal['reason'] | 'marketUnknown' | 'refused' | 'either';
};

const strange = ['☃𝒳‮', 'a\u0000b', '__proto__', 'constructor', 'toString', "' OR 1=1 --", '%s%n'];
const notNumbers = ['abc', 'NaN', '-NaN', 'Infinity', '0x10', '1,5', ' 1', '1_000', '--1', '١٢'];
const hugeNumbers = ['1e400', '-1e400', '9'.repeat(5000)];
const long = 'A'.repeat(5000);

const text = (value: string): string => JSON.stringify(value);

/** Objects and lists where a single value belongs. */
const structures = ['{}', '{"a":1}', '[]', '["x"]', '[[[]]]', '{"__proto__":{"x":1}}'];

export function badValues(reading: Reading): readonly BadValue[] {
  if (reading.read === 'list') return badLists();
  if (reading.read === 'record') return badRecords(reading);
  return [
    ...structures.map((source) => ({ source, answer: 'parameterMalformed' }) as const),
    ...badScalars(reading),
  ];
}

function badLists(): BadValue[] {
  const passes = ['[]', '[null]', '[[]]', '["x"]', '[1e400]', '[{"__proto__":1}]', '[{}]', '"x"'];
  const full = `[${Array.from({ length: 300 }, () => '{}').join(',')}]`;
  return [
    { source: '{}', answer: 'parameterMalformed' },
    { source: '{"a":[]}', answer: 'parameterMalformed' },
    ...[...passes, full, '-1', 'true', text(long), '"[{]"', '"[\\"a]"'].map(
      (source) => ({ source, answer: 'either' }) as const,
    ),
  ];
}

type RecordReading = Extract<Reading, { readonly read: 'record' }>;

function badRecords({ parameters }: RecordReading): BadValue[] {
  const all = (sources: readonly string[], answer: BadValue['answer']): BadValue[] =>
    sources.map((source) => ({ source, answer }));
  const [first = ''] = Object.keys(parameters.properties);
  const words = [...strange, ...notNumbers, long].map(text);
  return [
    ...all([...words, '-1', 'true', '[]', '[{}]', '1e400'], 'parameterMalformed'),
    ...all(['{}', '{"a":1}', `{"${first}":null}`], 'parameterMissing'),
    ...all([`{"${first}":[]}`, `{"${first}":{}}`], 'parameterMalformed'),
    ...all([`{"${first}":"x"}`, `{"${first}":true}`], 'parameterIllegal'),
    ...all([`{"${first}":"-1"}`, `{"${first}":1e30}`], 'refused'),
  ];
}

function badScalars(reading: Exclude<Reading, { readonly read: 'list' | 'record' }>): BadValue[] {
  const all = (sources: readonly string[], answer: BadValue['answer']): BadValue[] =>
    sources.map((source) => ({ source, answer }));
  const words = [...strange, ...notNumbers, long].map(text);
  switch (reading.read) {
    case 'market':
      return all(
        [...words, ...hugeNumbers, '"BTCUSDTX"', '"BTC USDT"', '-1', 'true'],
        reading.unknown,
      );
    case 'choice': {
      const [first = ''] = reading.values.keys();
      const cased = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
      const near = [cased, `${first} `, `${first}${first}`, 'NONSENSE'].filter(
        (word) => !reading.values.has(word),
      );
      return all([...words, ...near.map(text), '-1', '3.5', 'true', '1e400'], reading.refuse);
    }
    case 'flag':
      return all([...words, '"yes"', '1', '0', '-1', '"true "', '1e400'], 'parameterMalformed');
    case 'integer':
      return [
        ...all([...words, '1.5', '"1.5"', '1e-3', '1e400', 'true'], 'parameterMalformed'),
        { source: '-1', answer: reading.min > -1 ? 'parameterMalformed' : 'refused' },
        { source: '9007199254740993', answer: 'refused' },
      ];
    case 'decimal':
      return [
        ...all([...words, ...hugeNumbers, 'true', '"1.2.3"', '"."', '"1e"'], 'parameterIllegal'),
        ...all(['-1', '"-0.5e1"', '1e30'], 'refused'),
      ];
    case 'orderId':
      return all(
        [...words, '5', '-1', 'true', '"3f2504e0-4f89-41d3-9a0c-0305e82c330g"'],
        'parameterIllegal',
      );
    case 'clientOrderId':
      return all(
        ['a b', 'ä', '☃', 'a\u0000b', 'a'.repeat(37), long, "' OR 1=1"].map(text),
        'parameterIllegal',
      );
    case 'text':
      return [
        ...all([text('x'.repeat(reading.lengthMax + 1))], 'parameterIllegal'),
        ...all([...words, ...hugeNumbers.slice(0, 2), '-1', 'true'], 'either'),
      ];
  }
}
