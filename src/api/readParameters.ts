// Turns the content of a request into the values that a row takes, in the order of checks of the
// conventions (1.5): required parameters, then words and whole numbers, then what others make
// necessary, then the symbol, then ids and texts. Decimals stay texts, because the row knows their
// grid (grid.ts).

import type { Static, TObject } from 'typebox';
import { isClientOrderId } from '../engine/clientOrderId.ts';
import { type Exchange, marketBySymbol } from '../engine/views/exchange.ts';
import type { Market } from '../engine/views/market.ts';
import { assert, must } from '../std/assert.ts';
import { parseScaled } from '../units/decimal.ts';
import { normalizeSymbol } from '../units/symbol.ts';
import type { OrderId, Time } from '../units/units.ts';
import { isUuid, parseUuid } from '../units/uuid.ts';
import { type Fields, isFields, jsonNull, type Value } from './fields.ts';
import { type Reading, readingOf } from './parameterSchema.ts';
import { parseJson } from './parseJson.ts';
import type { Refusal } from './refusal.ts';

/** Where symbols are looked up: in the state, or in what a thread without a state knows of it. */
export type Markets = Exchange | MarketTable;

export type MarketTable = { readonly bySymbol: ReadonlyMap<string, Market> };

/** Reads the parameters of one row. */
export type ParameterReader<T> = (fields: Fields, markets: Markets) => T | Refusal;

type Step = {
  readonly name: string;
  /** The name in lower case, then its aliases. */
  readonly keys: readonly string[];
  readonly required: boolean;
  readonly reading: Reading;
  /** Of a record: the reader of its members. */
  readonly inner: ParameterReader<object> | undefined;
};

const ranks: Record<Reading['read'], number> = {
  choice: 0,
  flag: 0,
  integer: 0,
  market: 1,
  decimal: 2,
  orderId: 2,
  clientOrderId: 2,
  text: 2,
  list: 2,
  record: 2,
};

/** Whether reading gave a refusal. No parameter may have the name `reason`. */
export function isRefusal<T extends object>(result: T | Refusal): result is Refusal {
  return 'reason' in result;
}

function stepsOf(parameters: TObject): Step[] {
  const required = new Set<string>(parameters.required ?? []);
  return Object.entries(parameters.properties).map(([name, schema]) => {
    const reading = must(readingOf(schema), `parameter ${name} has no reading`);
    assert(name !== 'reason', 'a parameter called reason would read as a refusal');
    const keys = [name, ...(reading.aliases ?? [])].map((key) => key.toLowerCase());
    const inner = reading.read === 'record' ? createParameterReader(reading.parameters) : undefined;
    return { name, keys, required: required.has(name), reading, inner };
  });
}

function sentUnder(fields: Fields, keys: readonly string[]): Value | undefined {
  for (let i = 0; i < keys.length; i += 1) {
    const value = fields.get(keys[i]!);
    if (value !== undefined && value !== '' && value !== jsonNull) return value;
  }
  return undefined;
}

/**
 * Makes the reader of a row's parameters. `requires` gets the words and whole numbers, and refuses
 * the request when a parameter that they make necessary is missing. It runs before the symbol is
 * looked up.
 */
export function createParameterReader<P extends TObject>(
  parameters: P,
  requires?: (read: Partial<Static<P>>, fields: Fields) => Refusal | undefined,
): ParameterReader<Static<P>> {
  const steps = stepsOf(parameters).sort((a, b) => ranks[a.reading.read] - ranks[b.reading.read]);
  const needed = steps.filter((step) => step.required);
  const middle = steps.findIndex((step) => ranks[step.reading.read] > 0);
  const words = middle < 0 ? steps : steps.slice(0, middle);
  const rest = middle < 0 ? [] : steps.slice(middle);
  return (fields, markets) => {
    for (const { name, keys } of needed) {
      if (sentUnder(fields, keys) === undefined) return { reason: 'parameterMissing', name };
    }
    const read: Record<string, unknown> = {};
    const wordRefusal = readSteps(words, fields, markets, read);
    if (wordRefusal !== undefined) return wordRefusal;
    const missing = requires?.(read as Partial<Static<P>>, fields);
    if (missing !== undefined) return missing;
    const refusal = readSteps(rest, fields, markets, read);
    return refusal ?? (read as Static<P>);
  };
}

function readSteps(
  steps: readonly Step[],
  fields: Fields,
  markets: Markets,
  read: Record<string, unknown>,
): Refusal | undefined {
  for (let i = 0; i < steps.length; i += 1) {
    const step = steps[i]!;
    const value = sentUnder(fields, step.keys);
    if (value === undefined) {
      if (isRefusedBlank(step, fields)) return { reason: 'parameterMalformed', name: step.name };
      read[step.name] = isGivenNull(step, fields) ? null : undefined;
      continue;
    }
    const refusal = readStep(step, value, markets, read);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

const isGivenNull = ({ keys, reading }: Step, fields: Fields): boolean =>
  reading.read === 'record' && reading.nullable && fields.get(keys[0]!) === jsonNull;

/** Whether a parameter without a value was sent in a way that its row refuses (AUTH-3a). */
function isRefusedBlank({ keys, reading }: Step, fields: Fields): boolean {
  // No text is a record.
  if (reading.read === 'record') return fields.get(keys[0]!) === '';
  if (reading.refuses === undefined) return false;
  return keys.some((key) => {
    const value = fields.get(key);
    return value === jsonNull || (value === '' && reading.refuses === 'blank');
  });
}

function readStep(
  { name, reading, inner }: Step,
  value: Value,
  markets: Markets,
  read: Record<string, unknown>,
): Refusal | undefined {
  if (reading.read === 'list') {
    const list = readList(value, !reading.body);
    if (list === undefined) return { reason: 'parameterMalformed', name };
    read[name] = list;
    return undefined;
  }
  if (inner !== undefined) {
    const record = readRecord(inner, { name, value, markets });
    if (isRefusal(record)) return record;
    read[name] = record;
    return undefined;
  }
  if (typeof value !== 'string') return { reason: 'parameterMalformed', name };
  return readText({ name, reading }, value, markets, read);
}

function readText(
  { name, reading }: Pick<Step, 'name' | 'reading'>,
  value: string,
  markets: Markets,
  read: Record<string, unknown>,
): Refusal | undefined {
  switch (reading.read) {
    case 'market': {
      const market = findMarket(markets, value);
      if (market === undefined) return refusalOf(reading.unknown);
      read[name] = market;
      return undefined;
    }
    case 'choice': {
      const choice = reading.values.get(value);
      if (choice === undefined) return { reason: reading.refuse, name };
      read[name] = reading.numeric === true ? Number(choice) : choice;
      return undefined;
    }
    case 'flag': {
      const flag = readFlag(value);
      if (flag === undefined) return { reason: 'parameterMalformed', name };
      read[name] = flag;
      return undefined;
    }
    case 'integer': {
      const integer = readInteger(value);
      if (integer === undefined || integer < reading.min || integer > reading.max) {
        return { reason: 'parameterMalformed', name };
      }
      read[name] = integer;
      return undefined;
    }
    case 'orderId': {
      const isId = reading.made ? parseUuid(value) !== undefined : isUuid(value);
      if (!isId) return { reason: 'parameterIllegal', name };
      read[name] = orderReferenceOf(value);
      return undefined;
    }
    case 'clientOrderId':
      if (!isClientOrderId(value)) return { reason: 'parameterIllegal', name };
      break;
    case 'text':
      if (value.length > reading.lengthMax) return { reason: 'parameterIllegal', name };
      break;
    case 'decimal':
      break;
  }
  read[name] = value;
  return undefined;
}

type RecordSent = { readonly name: string; readonly value: Value; readonly markets: Markets };

function readRecord(
  inner: ParameterReader<object>,
  { name, value, markets }: RecordSent,
): object | Refusal {
  if (typeof value === 'string' || !isFields(value)) return { reason: 'parameterMalformed', name };
  const record = inner(value, markets);
  return isRefusal(record) && 'name' in record ? within(name, record) : record;
}

/** A refusal that names a member of a record names the record too. */
const within = <R extends Refusal & { readonly name: string }>(name: string, refusal: R): R => ({
  ...refusal,
  name: `${name}.${refusal.name}`,
});

function refusalOf(reason: 'symbolUnknown' | 'marketNotListed'): Refusal {
  return { reason };
}

/** A market by a symbol as the client wrote it (SYM-0). */
export function findMarket(markets: Markets, text: string): Market | undefined {
  return marketNamed(markets, text) ?? marketNamed(markets, normalizeSymbol(text));
}

function marketNamed(markets: Markets, symbol: string): Market | undefined {
  return 'bySymbol' in markets ? markets.bySymbol.get(symbol) : marketBySymbol(markets, symbol);
}

/**
 * The order of a UUID; number 0, which no order has, for a UUID that the engine cannot have made.
 */
export function orderReferenceOf(uuid: string): { id: OrderId; createdAt: Time } {
  const parsed = parseUuid(uuid);
  if (parsed === undefined) return { id: 0 as OrderId, createdAt: 0 as Time };
  return { id: parsed.sequence as OrderId, createdAt: parsed.time };
}

function readFlag(text: string): boolean | undefined {
  if (text === 'true') return true;
  if (text === 'false') return false;
  const lower = text.length > 5 ? text : text.toLowerCase();
  return lower === 'true' ? true : lower === 'false' ? false : undefined;
}

const whole = /^-?\d{1,15}$/;

/** Whole numbers beyond the safe ones read as the largest or smallest safe one. */
function readInteger(text: string): number | undefined {
  if (whole.test(text)) return Number(text);
  const scaled = parseScaled(text, 0);
  if (scaled.kind === 'exact') return scaled.value;
  if (scaled.kind !== 'outOfRange') return undefined;
  return text.startsWith('-') ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
}

/** `bare`: ids, which clients also send alone or in brackets without quotes. */
function readList(value: Value, bare: boolean): readonly Value[] | undefined {
  if (typeof value !== 'string') return isFields(value) ? undefined : value;
  const text = value.trim();
  if (!text.startsWith('[')) return bare ? [text] : undefined;
  const parsed = parseJson(text);
  if (parsed !== undefined) return Array.isArray(parsed) ? (parsed as readonly Value[]) : undefined;
  return bare ? readBareList(text) : undefined;
}

/** `[id,id]` without quotes, as one stock client sends ids. */
function readBareList(text: string): readonly string[] | undefined {
  if (!text.endsWith(']') || /["{}]/.test(text)) return undefined;
  return text
    .slice(1, -1)
    .split(',')
    .map((item) => item.trim());
}
