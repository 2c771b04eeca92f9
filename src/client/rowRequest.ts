// The HTTP request of one row of the operations table: where each parameter goes, and how the
// request shows who sends it (spec, Authentication).

import { createHmac } from 'node:crypto';
import type { Operation } from '../api/operation.ts';
import { must } from '../std/assert.ts';

/** What the caller can show; a row takes what it asks for. */
export type Credentials = {
  readonly apiKey?: string;
  readonly secretKey?: string;
  /** The bearer token of a login. */
  readonly token?: string;
  readonly operatorToken?: string;
};

export type RowRequest = {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

export type CallOptions = {
  /** Makes a repetition of the call find what the first one did (ID-3). */
  readonly idempotencyKey?: string;
};

export type SentParameters = Readonly<Record<string, unknown>>;

/**
 * Takes the row, its parameters by name and the milliseconds of the signature's timestamp; gives
 * the request. GET and DELETE carry parameters in the query, the others a JSON body.
 */
export function rowRequest(
  row: Operation,
  parameters: SentParameters,
  signing: Credentials & CallOptions & { readonly now: number },
): RowRequest {
  const rest = new Map(Object.entries(parameters).filter(([, value]) => value !== undefined));
  const path = row.path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = must(rest.get(name), `${row.name} needs the parameter ${name}`);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  const inQuery = row.method === 'GET' || row.method === 'DELETE';
  let query = inQuery ? queryText(rest) : '';
  const body = inQuery ? undefined : JSON.stringify(Object.fromEntries(rest));
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (signing.idempotencyKey !== undefined) headers['idempotency-key'] = signing.idempotencyKey;
  const keyed = row.auth === 'key' || row.auth === 'keyOnly';
  if (keyed) headers['x-mbx-apikey'] = must(signing.apiKey, `${row.name} needs an API key`);
  if (row.auth === 'key') {
    const { secretKey } = signing;
    query = signed(query, body ?? '', must(secretKey, `${row.name} needs a secret`), signing.now);
  }
  const bearer = row.auth === 'operator' ? signing.operatorToken : signing.token;
  if (row.auth !== 'none' && !keyed && bearer !== undefined) {
    headers.authorization = `Bearer ${bearer}`;
  }
  return { method: row.method, path: query === '' ? path : `${path}?${query}`, headers, body };
}

function queryText(parameters: ReadonlyMap<string, unknown>): string {
  const pairs: string[] = [];
  for (const [name, value] of parameters) {
    if (value === null) continue;
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  }
  return pairs.join('&');
}

/** signature = hex(HMAC_SHA256(secret, query + body)), with the timestamp in the query. */
function signed(query: string, body: string, secret: string, now: number): string {
  const stamped = `${query === '' ? '' : `${query}&`}timestamp=${now}`;
  const signature = createHmac('sha256', secret).update(stamped).update(body).digest('hex');
  return `${stamped}&signature=${signature}`;
}
