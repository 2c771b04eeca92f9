// The HTTP request of one row of the operations table: the place of each parameter, and the proof
// of the caller (spec, Authentication). It uses only what browsers have.

import type { Route } from '../api/operation.ts';
import { must } from '../std/assert.ts';
import { signByWebCrypto } from './signByWebCrypto.ts';

/** The caller's credentials; a row uses those that it requires. */
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
  /** With it a repeated call gets the result of the first one (ID-3). */
  readonly idempotencyKey?: string;
};

/** hex(HMAC_SHA256(secret, text)) */
export type Sign = (secret: string, text: string) => string | Promise<string>;

export type Signing = Credentials &
  CallOptions & {
    /** WebCrypto by default. */
    readonly sign?: Sign;
    /** Milliseconds of the signature's timestamp. */
    readonly now: number;
  };

export type SentParameters = Readonly<Record<string, unknown>>;

/**
 * Takes the row, its parameters by name and the caller's credentials; gives the request. GET and
 * DELETE carry parameters in the query, the others a JSON body. Rejects when a parameter of the
 * path or a credential is missing.
 */
export async function rowRequest(
  row: Route,
  parameters: SentParameters,
  signing: Signing,
): Promise<RowRequest> {
  const called = `${row.method} ${row.path}`;
  const rest = new Map(Object.entries(parameters).filter(([, value]) => value !== undefined));
  const path = row.path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = must(rest.get(name), `${called} needs the parameter ${name}`);
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
  if (keyed) headers['x-mbx-apikey'] = must(signing.apiKey, `${called} needs an API key`);
  if (row.auth === 'key') {
    const { secretKey } = signing;
    const secret = must(secretKey, `${called} needs a secret`);
    query = await signed({ query, body }, secret, signing);
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
async function signed(
  { query, body = '' }: Pick<RowRequest, 'body'> & { readonly query: string },
  secret: string,
  { now, sign = signByWebCrypto }: Signing,
): Promise<string> {
  const stamped = `${query === '' ? '' : `${query}&`}timestamp=${now}`;
  return `${stamped}&signature=${await sign(secret, stamped + body)}`;
}
