// One request of the WebSocket trading API as sent (WS-6; conventions, 14.1): its envelope, and its
// parameters twice: as written, for the signature, and in lower case, for the row.

import { type Fields, isFields, jsonNull, type Value } from '../../api/fields.ts';
import { parseJson } from '../../api/parseJson.ts';
import type { Refusal } from '../../api/refusal.ts';

export type FrameId = string | number | null;

export type TradingFrame = {
  readonly id: FrameId;
  readonly method: string;
  /** The same as the HTTP header of that name; empty: none. */
  readonly idempotencyKey: string;
  /** Name and source text of every parameter, as written. */
  readonly written: readonly (readonly [name: string, value: string])[];
  /** The same by names in lower case. */
  readonly params: ReadonlyMap<string, string>;
  /** The names in lower case of the parameters that were sent as null: no signature covers them. */
  readonly nulls: ReadonlySet<string>;
};

const idLengthMax = 64;

/** A refusal of a frame that is not a request, with the `id` if there is one. */
export type FrameRefusal = { readonly id: FrameId; readonly refusal: Refusal };

export function parseTradingFrame(text: string): TradingFrame | FrameRefusal {
  const malformed: Refusal = { reason: 'requestMalformed' };
  const members = parseJson(text, asWritten);
  if (members === undefined || !isFields(members)) return { id: null, refusal: malformed };
  const { id = null, method, idempotencyKey = '' } = JSON.parse(text) as Envelope;
  if (!isId(id)) return { id: null, refusal: { reason: 'parameterMalformed', name: 'id' } };
  if (typeof method !== 'string') {
    return { id, refusal: { reason: 'parameterMalformed', name: 'method' } };
  }
  if (typeof idempotencyKey !== 'string') {
    return { id, refusal: { reason: 'parameterMalformed', name: 'idempotencyKey' } };
  }
  const read = readParams(members.get('params'));
  return 'reason' in read ? { id, refusal: read } : { id, method, idempotencyKey, ...read };
}

type Envelope = {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly idempotencyKey?: unknown;
};

const asWritten = (name: string): string => name;

function isId(id: unknown): id is FrameId {
  if (typeof id === 'string') return id.length <= idLengthMax;
  return id === null || Number.isSafeInteger(id);
}

type Params = Pick<TradingFrame, 'written' | 'params' | 'nulls'>;

/** Every parameter is a text, a number, a boolean or null. */
function readParams(value: Value = jsonNull): Params | Refusal {
  if (value === jsonNull) return { written: [], params: new Map(), nulls: new Set() };
  if (!isFields(value)) return { reason: 'parameterMalformed', name: 'params' };
  const written: [string, string][] = [];
  const params = new Map<string, string>();
  const nulls = new Set<string>();
  const malformed = (name: string): Refusal => ({ reason: 'parameterMalformed', name });
  for (const [name, each] of value) {
    const key = name.toLowerCase();
    if (params.has(key) || nulls.has(key)) return malformed(name);
    if (each === jsonNull) {
      nulls.add(key);
      continue;
    }
    if (typeof each !== 'string') return malformed(name);
    if (key === 'returnratelimits' && each !== 'true' && each !== 'false') return malformed(name);
    written.push([name, each]);
    params.set(key, each);
  }
  return { written, params, nulls };
}

/** Parameters of the envelope: they are not parameters of the operation. */
const ofTheEnvelope: ReadonlySet<string> = new Set(['apikey', 'signature', 'returnratelimits']);

/** The parameters of the operation, as an HTTP request would have them. */
export function frameFields({ params, nulls }: Pick<TradingFrame, 'params' | 'nulls'>): Fields {
  const fields = new Map<string, Value>(params);
  for (const name of nulls) fields.set(name, jsonNull);
  for (const name of ofTheEnvelope) fields.delete(name);
  return fields;
}
