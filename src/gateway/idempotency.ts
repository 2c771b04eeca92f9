// The Idempotency-Key of a request as hashes (ID-3): one of the key, and one of the request without
// the parts that change when the same request is signed again.

import { hash } from 'node:crypto';
import { type Fields, isFields, jsonNull, type Value } from '../api/fields.ts';

const lengthMax = 255;
const leftOut: ReadonlySet<string> = new Set(['timestamp', 'signature', 'recvwindow']);

export type Idempotency = { readonly key: string; readonly request: string };

export const noIdempotency: Idempotency = { key: '', request: '' };

/** undefined when the header is longer than a key may be. `operation` is the row's name. */
export function idempotencyOf(
  header: string,
  operation: string,
  fields: Fields,
): Idempotency | undefined {
  if (header.length > lengthMax) return undefined;
  const request = `${operation} ${canonicalText(fields)}`;
  return {
    key: hash('sha256', header, 'base64url'),
    request: hash('sha256', request, 'base64url'),
  };
}

/** The same text for equal contents, independent of the order of the names. */
function canonicalText(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === jsonNull) return 'null';
  if (!isFields(value)) return `[${value.map(canonicalText).join(',')}]`;
  const members = [...value].filter(([name]) => !leftOut.has(name)).sort(byName);
  const texts = members.map(([name, item]) => `${JSON.stringify(name)}:${canonicalText(item)}`);
  return `{${texts.join(',')}}`;
}

function byName([a]: readonly [string, Value], [b]: readonly [string, Value]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
