// All fields of a request by name: query, form or JSON, merged by AUTH-3 and the conventions
// (section 2). A name that comes twice in one source is malformed, except for two lists.

import { type Fields, isFields, noFields, type Value } from '../api/fields.ts';
import { parseJson } from '../api/parseJson.ts';
import type { Refusal } from '../api/refusal.ts';
import type { Pairs } from './parsePairs.ts';
import type { RequestBody } from './requestBody.ts';

const repeatable: ReadonlySet<string> = new Set(['orderidlist', 'origclientorderidlist']);

/** The pairs by name; with `fields`, names that it already has keep their value. */
function addPairs(fields: Map<string, Value>, pairs: Pairs): Refusal | undefined {
  if (pairs.broken) return { reason: 'requestMalformed' };
  if (pairs.items.length === 0) return undefined;
  const own = new Map<string, string | string[]>();
  for (const { key, name, value } of pairs.items) {
    const before = own.get(key);
    if (before === undefined) own.set(key, value);
    else if (!repeatable.has(key)) return { reason: 'parameterMalformed', name };
    else if (typeof before === 'string') own.set(key, [before, value]);
    else before.push(value);
  }
  for (const [key, value] of own) if (!fields.has(key)) fields.set(key, value);
  return undefined;
}

/** The query string's pairs by name. -1102 at a name that comes twice or a bad escape. */
export function queryFields(query: Pairs): Fields | Refusal {
  if (query.items.length === 0) return query.broken ? { reason: 'requestMalformed' } : noFields;
  const fields = new Map<string, Value>();
  return addPairs(fields, query) ?? fields;
}

/** Members of JSON win over the query, the query over a form. -1102 when malformed. */
export function requestFields(
  query: Pairs,
  body: RequestBody,
  bodyList: string | undefined,
): Fields | Refusal {
  if (body.kind === 'json') return jsonFields(query, body.bytes, bodyList);
  const fields = new Map<string, Value>();
  return addPairs(fields, query) ?? addPairs(fields, body.form) ?? fields;
}

/** `bodyList`: the parameter that a bare array gives; without it only an object is accepted. */
function jsonFields(query: Pairs, bytes: Buffer, bodyList: string | undefined): Fields | Refusal {
  const parsed = parseJson(bytes.toString('utf8'));
  if (parsed === undefined || typeof parsed === 'string') return { reason: 'bodyMalformed' };
  let fields: Map<string, Value>;
  if (isFields(parsed)) {
    // The parser made this map for this request alone.
    fields = parsed as Map<string, Value>;
  } else {
    if (bodyList === undefined) return { reason: 'bodyMalformed' };
    fields = new Map([[bodyList, parsed]]);
  }
  return addPairs(fields, query) ?? fields;
}
