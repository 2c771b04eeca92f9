// Query strings and form bodies as pairs, each with its place in the raw text: signatures are over
// raw bytes (AUTH-2), so a pair must be cut out by its position. decodeEscapes.ts decodes escapes.

import { decodeEscapes } from './decodeEscapes.ts';

/** Pairs that one query or form may have (AUTH-10); the largest legal request has about 40. */
export const pairsMax = 256;

export type Pair = {
  /** Decoded, in lower case: for comparing names. */
  readonly key: string;
  /** Decoded, as written. */
  readonly name: string;
  readonly value: string;
  /** Where the pair begins and ends in the raw text, without separators. */
  readonly start: number;
  readonly end: number;
};

export type Pairs = {
  readonly raw: string;
  readonly items: readonly Pair[];
  /**
   * Whether it has a bad escape or more than `pairsMax` pairs: such a request is malformed. A pair
   * with a bad escape keeps its raw text; pairs beyond the bound are not read.
   */
  readonly broken: boolean;
  /** Whether decoding changed anything. */
  readonly encoded: boolean;
};

const ampersand = 38;

export const noPairs: Pairs = { raw: '', items: [], broken: false, encoded: false };

/**
 * Splits at `&` and at the first `=`; `+` and %-escapes are decoded. Empty segments are left out.
 * Cost: one pass for every text.
 */
export function parsePairs(raw: string): Pairs {
  if (raw === '') return noPairs;
  const encoded = raw.includes('%') || raw.includes('+');
  const items: Pair[] = [];
  let broken = false;
  let start = 0;
  while (start < raw.length) {
    if (raw.charCodeAt(start) === ampersand) {
      start += 1;
      continue;
    }
    const separator = raw.indexOf('&', start);
    const end = separator < 0 ? raw.length : separator;
    if (items.length === pairsMax) return { raw, items, broken: true, encoded };
    const segment = raw.slice(start, end);
    const equals = segment.indexOf('=');
    let name = equals < 0 ? segment : segment.slice(0, equals);
    let value = equals < 0 ? '' : segment.slice(equals + 1);
    if (encoded) {
      const plainName = decodeEscapes(name);
      const plainValue = decodeEscapes(value);
      if (plainName === undefined || plainValue === undefined) broken = true;
      name = plainName ?? name;
      value = plainValue ?? value;
    }
    items.push({ key: name.toLowerCase(), name, value, start, end });
    start = end + 1;
  }
  return { raw, items, broken, encoded };
}

const nonAscii = /[^\0-\x7f]/;

/** The text behind the first `?` of a request's address, its bytes read as UTF-8. */
export function queryOf(url: string): string {
  const mark = url.indexOf('?');
  if (mark < 0) return '';
  const query = url.slice(mark + 1);
  return nonAscii.test(query) ? Buffer.from(query, 'latin1').toString('utf8') : query;
}

/** The raw text without this pair and one separator beside it; all other bytes stay. */
export function cutPair({ raw }: Pairs, { start, end }: Pair): string {
  if (start > 0) return raw.slice(0, start - 1) + raw.slice(end);
  return raw.slice(end + 1);
}

const unsafe = /[&=\p{Cc}]/u;

/** Whether a name or value, put between others unchanged, could be read in two ways (AUTH-2). */
export function isAmbiguous(text: string): boolean {
  return unsafe.test(text);
}

/**
 * The pairs decoded and joined again, `without` left out; undefined when the result could be read
 * in two ways (AUTH-2): a decoded name or value with `&`, `=` or a control character, or a bad
 * escape.
 */
export function rejoinDecoded(pairs: Pairs, without: Pair | undefined): string | undefined {
  if (pairs.broken) return undefined;
  let joined = '';
  for (const pair of pairs.items) {
    if (pair === without) continue;
    if (isAmbiguous(pair.name) || isAmbiguous(pair.value)) return undefined;
    joined += `${joined === '' ? '' : '&'}${pair.name}=${pair.value}`;
  }
  return joined;
}
