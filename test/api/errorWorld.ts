// The exchange of the error cases: markets in every condition, traders with a token
// and a key, and requests written by hand, because no client would send most of them.

import { createHmac } from 'node:crypto';
import { must } from '../../src/std/assert.ts';
import {
  type MemoryExchange,
  openMemoryExchange,
  operatorToken,
} from '../fixtures/memoryExchange.ts';

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: the cases check the shape of bodies.
  readonly body: any;
};

export type Parameters = Readonly<Record<string, unknown>>;

export type Signing = {
  readonly apiKey?: string;
  readonly secret?: string;
  /** Added to the timestamp, milliseconds; undefined leaves the clock's, null sends none. */
  readonly skew?: number | null;
  readonly headers?: Readonly<Record<string, string>>;
};

export type ErrorTrader = {
  readonly address: string;
  readonly token: string;
  readonly apiKey: string;
  /** Of the key, on the native surface. */
  readonly keyId: string;
  /** Signs as the interface itself says: a query for GET and DELETE, else a JSON body. */
  readonly fapi: (
    method: string,
    path: string,
    parameters?: Parameters,
    signing?: Signing,
  ) => Promise<Reply>;
  readonly native: (method: string, path: string, parameters?: Parameters) => Promise<Reply>;
};

export type ErrorWorld = {
  readonly exchange: MemoryExchange;
  /** A new account with this much USDT. */
  readonly trader: (usdt?: number) => Promise<ErrorTrader>;
  /** A request without any credentials. */
  readonly open: (method: string, path: string, parameters?: Parameters) => Promise<Reply>;
  /** The state's hash before the request that was sent last. */
  readonly hashBefore: () => string;
  /**
   * Cancels the orders that the cases have left in the books, and begins new windows of the limits.
   */
  readonly tidy: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** 100,000 USDT is the price of everything that has one. */
export const price = '100000';

const listings = [
  { base: 'BTC' },
  // Takes 1,000 USDT a side.
  { base: 'CAP', oi_cap_usd: '1000' },
  // One account may hold 2,000 USDT of a side.
  { base: 'SHARE', account_share_max: '0.0001' },
  // Beyond 1,000 USDT of a side an order opens with a leverage of at most 10.
  {
    base: 'STEP',
    brackets: [
      { up_to_usd: '1000', rate: '0.01' },
      { up_to_usd: '20000000', rate: '0.05' },
    ],
  },
  { base: 'HALT', status: 'HALT' },
  { base: 'CLOSE', status: 'CLOSE' },
  // Its index has never been stated.
  { base: 'DARK', index_sources: [{ source: 'nowhere', weight: 1 }], expected_index_sources: [] },
] as const;

async function listMarkets(exchange: MemoryExchange): Promise<void> {
  const { operator } = exchange.client({ operatorToken });
  for (const { base, ...terms } of listings) {
    const symbol = `${base}USDT`;
    const grid = { tick_size: '0.1', lot_size: '0.001', max_leverage: 50 };
    await operator.listMarket({ symbol, base_asset: base, ...grid, ...terms } as never);
  }
  await statePrices(exchange);
}

/** Sends every price again, as its source always does: prices become old with the clock (PRC-2). */
async function statePrices(exchange: MemoryExchange): Promise<void> {
  const { operator } = exchange.client({ operatorToken });
  for (const { base } of listings) {
    if (base !== 'DARK') await operator.setIndexPrice({ symbol: `${base}USDT`, price });
  }
}

export async function openErrorWorld(): Promise<ErrorWorld> {
  const exchange = await openMemoryExchange();
  await listMarkets(exchange);
  let traders: ErrorTrader[] = [];
  let seed = 0;
  let before = exchange.stateHash();
  const send = async (
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string | undefined,
  ): Promise<Reply> => {
    before = exchange.stateHash();
    const response = await exchange.app.inject({
      method: method as 'GET',
      url,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { payload: body }),
    });
    const { statusCode: status, payload } = response;
    return { status, headers: response.headers, body: payload === '' ? null : JSON.parse(payload) };
  };
  const trader = async (usdt = 100_000): Promise<ErrorTrader> => {
    seed += 1;
    const made = await makeTrader(exchange, { seed, usdt, send });
    traders.push(made);
    return made;
  };
  const tidy = async (): Promise<void> => {
    exchange.clock.advance(60_000);
    for (const { fapi } of traders) {
      for (const { base } of listings) {
        await fapi('DELETE', '/fapi/v1/allOpenOrders', { symbol: `${base}USDT` });
        await fapi('DELETE', '/fapi/v1/algoOpenOrders', { symbol: `${base}USDT` });
      }
    }
    traders = [];
    exchange.clock.advance(60_000);
    await statePrices(exchange);
  };
  return {
    exchange,
    trader,
    open: (method, path, parameters = {}) => {
      const inQuery = method === 'GET' || method === 'DELETE';
      const query = inQuery ? queryText(parameters) : '';
      const url = query === '' ? path : `${path}?${query}`;
      return send(method, url, {}, inQuery ? undefined : JSON.stringify(parameters));
    },
    hashBefore: () => before,
    tidy,
    close: () => exchange.close(),
  };
}

type Send = (
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
) => Promise<Reply>;

async function makeTrader(
  exchange: MemoryExchange,
  { seed, usdt, send }: { seed: number; usdt: number; send: Send },
): Promise<ErrorTrader> {
  const { address, token, client } = await exchange.login(seed);
  const { operator } = exchange.client({ operatorToken });
  const reference = `trader ${seed}`;
  if (usdt > 0) await operator.creditAccount({ address, amount: String(usdt), reference });
  const key = await client.native.createApiKey();
  const own = { apiKey: key.api_key, secret: key.secret_key };
  return {
    address,
    token,
    apiKey: key.api_key,
    keyId: key.id,
    fapi: (method, path, parameters = {}, signing = {}) => {
      const now = exchange.clock.now();
      const { url, headers, body } = signed(method, path, parameters, { ...own, ...signing, now });
      return send(method, url, headers, body);
    },
    native: (method, path, parameters = {}) => {
      const inQuery = method === 'GET' || method === 'DELETE';
      const query = inQuery ? queryText(parameters) : '';
      const body = inQuery ? undefined : JSON.stringify(parameters);
      const url = query === '' ? path : `${path}?${query}`;
      return send(method, url, { authorization: `Bearer ${token}` }, body);
    },
  };
}

function signed(
  method: string,
  path: string,
  parameters: Parameters,
  { apiKey, secret, skew = 0, headers = {}, now }: Signing & { readonly now: number },
) {
  const inQuery = method === 'GET' || method === 'DELETE';
  const time = skew === null ? {} : { timestamp: now + skew };
  const query = queryText(inQuery ? { ...parameters, ...time } : time);
  const body = inQuery ? undefined : JSON.stringify(parameters);
  const mac = createHmac('sha256', must(secret, 'a trader has a secret'));
  const signature = mac.update(query + (body ?? '')).digest('hex');
  const shown: Record<string, string> = apiKey === undefined ? {} : { 'x-mbx-apikey': apiKey };
  const url = `${path}?${query}&signature=${signature}`;
  return { url, headers: { ...shown, ...headers }, body };
}

function queryText(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
}
