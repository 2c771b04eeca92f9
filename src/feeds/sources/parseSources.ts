// The text of a file of index sources as data, and every reason for which it cannot be used.
// openSources.ts makes feeds of the data. No message repeats a value, because the address of a node
// may contain a key.

import { checksumAddress } from '../../std/checksumAddress.ts';
import { normalizeSymbol } from '../../units/symbol.ts';
import { symbolPattern } from '../indexFeed.ts';
import type { Hex } from './contractOracle.ts';
import { restExchanges, streamExchanges } from './exchanges.ts';
import type { RestExchange } from './restExchange.ts';
import type { StreamExchange } from './streamExchange.ts';

/** The source's name of each canonical symbol. */
type Symbols<Name extends string = string> = ReadonlyMap<string, Name>;

type OnChain = {
  readonly source: string;
  readonly rpcUrl: string;
  readonly heartbeatSeconds: number;
};

export type SourceOption =
  | { readonly kind: 'rest'; readonly exchange: RestExchange; readonly symbols: Symbols }
  | { readonly kind: 'ws'; readonly exchange: StreamExchange; readonly symbols: Symbols }
  /** The aggregator of each symbol. */
  | (OnChain & { readonly kind: 'chainlink'; readonly symbols: Symbols<Hex> })
  /** The feed id of each symbol in the contract at `address`. */
  | (OnChain & { readonly kind: 'pyth'; readonly address: Hex; readonly symbols: Symbols<Hex> });

export type ParsedSources =
  | { readonly kind: 'sources'; readonly sources: readonly SourceOption[] }
  /** `message` is one sentence for the person who wrote the file. */
  | { readonly kind: 'malformed'; readonly message: string };

export const sourcesMax = 32;
export const symbolsMax = 32;
/** For an exchange that answers one pair at a time. More pairs would not fit into a second. */
export const singleSymbolsMax = 10;
const heartbeatSecondsMax = 604_800;
const sourcePattern = /^[a-z0-9:._-]{1,32}$/;
const addressPattern = /^0x[0-9a-fA-F]{40}$/;
const feedIdPattern = /^0x[0-9a-fA-F]{64}$/;
/** The names of the feeds that every deployment has. */
const takenSources = ['sim', 'manual', 'replay'];

const members = {
  rest: ['source', 'kind', 'symbols'],
  ws: ['source', 'kind', 'symbols'],
  chainlink: ['source', 'kind', 'symbols', 'rpcUrl', 'heartbeatSeconds'],
  pyth: ['source', 'kind', 'symbols', 'rpcUrl', 'heartbeatSeconds', 'address'],
} as const;

type Kind = keyof typeof members;
const kinds = Object.keys(members) as Kind[];

/** The place of an error, and what would be right. Only this file throws and catches it. */
class Malformed extends Error {}

/** Reads the text of `--sources`. */
export function parseSources(text: string): ParsedSources {
  try {
    const sources = readList(parseJson(text)).map(readSource);
    const names = sources.map(nameOf);
    for (const [i, name] of names.entries()) {
      if (names.indexOf(name) !== i) refuse(`[${i}].source`, 'names a source for the second time');
    }
    return { kind: 'sources', sources };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { kind: 'malformed', message: error.message };
  }
}

function refuse(place: string, problem: string): never {
  throw new Malformed(`${place} ${problem}`);
}

// The platform's own message would show a part of the text.
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [at = ''] = /line \d+ column \d+/.exec((error as Error).message) ?? [];
    return refuse('the file', at === '' ? 'is not JSON' : `is not JSON at ${at}`);
  }
}

function readList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) refuse('the file', 'must hold a JSON array of sources');
  if (value.length > sourcesMax) refuse('the file', `holds more than ${sourcesMax} sources`);
  return value;
}

function readSource(value: unknown, index: number): SourceOption {
  const place = `[${index}]`;
  const fields = readObject(value, place);
  const kind = kinds.find((candidate) => candidate === fields.kind);
  if (kind === undefined) return refuse(`${place}.kind`, `must be one of ${kinds.join(', ')}`);
  const known: readonly string[] = members[kind];
  for (const name of Object.keys(fields)) {
    if (!known.includes(name)) {
      const shown = JSON.stringify(name.slice(0, 40));
      refuse(place, `has the member ${shown}; the kind ${kind} takes ${known.join(', ')}`);
    }
  }
  for (const name of known)
    if (!Object.hasOwn(fields, name)) refuse(place, `must have the member "${name}"`);
  switch (kind) {
    case 'rest': {
      const exchange = readExchange(restExchanges, fields, place);
      const most = exchange.namesPerRequest === 1 ? singleSymbolsMax : symbolsMax;
      return { kind, exchange, symbols: readSymbols(fields, place, most, pairOf(exchange)) };
    }
    case 'ws': {
      const exchange = readExchange(streamExchanges, fields, place);
      return { kind, exchange, symbols: readSymbols(fields, place, symbolsMax, pairOf(exchange)) };
    }
    case 'chainlink': {
      const symbols = readSymbols(fields, place, symbolsMax, readAddress);
      return { kind, ...readOnChain(fields, place), symbols };
    }
    case 'pyth': {
      const address = readAddress(fields.address, `${place}.address`);
      const symbols = readSymbols(fields, place, symbolsMax, readFeedId);
      return { kind, ...readOnChain(fields, place), address, symbols };
    }
  }
}

type Fields = Readonly<Record<string, unknown>>;

function readObject(value: unknown, place: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(place, 'must be a JSON object');
  }
  return value as Fields;
}

function readExchange<Exchange extends { readonly source: string }>(
  exchanges: readonly Exchange[],
  fields: Fields,
  place: string,
): Exchange {
  const names = exchanges.map(({ source }) => source).join(', ');
  const exchange = exchanges.find(({ source }) => source === fields.source);
  return exchange ?? refuse(`${place}.source`, `of kind ${fields.kind} must be one of ${names}`);
}

type ReadName<Name extends string> = (value: unknown, place: string) => Name;

function readSymbols<Name extends string>(
  fields: Fields,
  place: string,
  most: number,
  readName: ReadName<Name>,
): ReadonlyMap<string, Name> {
  const within = `${place}.symbols`;
  const entries = Object.entries(readObject(fields.symbols, within));
  if (entries.length === 0) refuse(within, 'is empty');
  if (entries.length > most) refuse(within, `has more than ${most} symbols`);
  const symbols = new Map<string, Name>();
  const taken = new Set<string>();
  for (const [symbol, value] of entries) {
    const shown = symbol.slice(0, 40);
    if (!symbolPattern.test(symbol) || normalizeSymbol(symbol) !== symbol) {
      refuse(`${within}.${shown}`, 'is not a symbol in canonical form, such as BTCUSDT');
    }
    const name = readName(value, `${within}.${shown}`);
    if (taken.has(name.toLowerCase()))
      refuse(`${within}.${shown}`, 'is already the name of another symbol');
    taken.add(name.toLowerCase());
    symbols.set(symbol, name);
  }
  return symbols;
}

function pairOf(exchange: {
  readonly namePattern: RegExp;
  readonly nameExample: string;
}): ReadName<string> {
  const { namePattern, nameExample } = exchange;
  return (value, place) => {
    if (typeof value === 'string' && namePattern.test(value)) return value;
    return refuse(place, `must be the exchange's name of the pair, such as "${nameExample}"`);
  };
}

function readAddress(value: unknown, place: string): Hex {
  if (typeof value === 'string' && addressPattern.test(value)) {
    const lower = value.toLowerCase();
    if (value === lower || value === checksumAddress(lower)) return value as Hex;
  }
  return refuse(place, 'must be the address of a contract, in lower case or with its checksum');
}

function readFeedId(value: unknown, place: string): Hex {
  if (typeof value === 'string' && feedIdPattern.test(value)) return value as Hex;
  return refuse(place, 'must be the id of a price feed, "0x" and 64 hex digits');
}

function readOnChain(fields: Fields, place: string): OnChain {
  const { source, heartbeatSeconds: seconds } = fields;
  if (typeof source !== 'string' || !sourcePattern.test(source)) {
    return refuse(`${place}.source`, 'must be 1 to 32 characters of a-z 0-9 : . _ -');
  }
  const exchanges = [...restExchanges, ...streamExchanges].map((exchange) => exchange.source);
  if ([...takenSources, ...exchanges].includes(source)) {
    refuse(`${place}.source`, 'is the name of another feed');
  }
  const whole = typeof seconds === 'number' && Number.isInteger(seconds);
  if (!whole || seconds < 1 || seconds > heartbeatSecondsMax) {
    const range = `1 to ${heartbeatSecondsMax}`;
    return refuse(`${place}.heartbeatSeconds`, `must be a whole number of seconds, ${range}`);
  }
  return { source, rpcUrl: readRpcUrl(fields.rpcUrl, place), heartbeatSeconds: seconds };
}

function readRpcUrl(value: unknown, place: string): string {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    const shape = 'an http or https address without user and password';
    return refuse(`${place}.rpcUrl`, `must be ${shape}`);
  }
  return url.href;
}

/** The name under which markets list the source. */
export function nameOf(option: SourceOption): string {
  return 'exchange' in option ? option.exchange.source : option.source;
}
