// Some sixty kinds of requests, with refusals of every kind, which a test sends to two gateways
// that must give the same answers. Not here: what is compared, and how.

import { queryText, signatureOf, type Trader } from '../gatewayWorld.ts';
import { type RawRequest, rawText } from './rawExchange.ts';

type KeyOf = Pick<Trader, 'apiKey' | 'secret'>;

/** Who asks at one of the two gateways. */
export type Asker = {
  readonly now: () => number;
  readonly trader: KeyOf;
  /** Works until the test disables it. */
  readonly disabled: KeyOf;
  readonly confined: KeyOf;
  readonly token: string;
};

export type Ask = (side: Asker) => RawRequest | string;

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
export const order = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  quantity: '0.01',
  price: '50000.0',
};
export const path = '/fapi/v1/order';

type Signing = {
  readonly by?: (side: Asker) => KeyOf;
  readonly aheadMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly spoil?: (signature: string) => string;
};

/** Signed as the interface says: the query of GET and DELETE, otherwise query and JSON body. */
export function signed(
  method: string,
  target: string,
  parameters: object,
  signing: Signing = {},
): Ask {
  const {
    by = ({ trader }) => trader,
    aheadMs = 0,
    headers = {},
    spoil = (text) => text,
  } = signing;
  return (side) => {
    const owner = by(side);
    const timestamp = { timestamp: side.now() + aheadMs };
    const inQuery = method === 'GET' || method === 'DELETE';
    const query = queryText(inQuery ? { ...parameters, ...timestamp } : timestamp);
    const body = inQuery ? undefined : JSON.stringify(parameters);
    const signature = spoil(signatureOf(owner, query + (body ?? '')));
    return {
      method,
      target: `${target}?${query}${signature === '' ? '' : `&signature=${signature}`}`,
      headers: {
        'X-MBX-APIKEY': owner.apiKey,
        ...(body === undefined ? {} : { 'Content-Type': json }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    };
  };
}

export const plain =
  (method: string, target: string, rest: Partial<RawRequest> = {}): Ask =>
  () => ({ method, target, ...rest });

const native =
  (method: string, target: string, rest: Partial<RawRequest> = {}): Ask =>
  ({ token }) => ({
    method,
    target,
    ...rest,
    headers: { Authorization: `Bearer ${token}`, ...rest.headers },
  });

/** All parameters in a form, signed over the decoded or the sent text. */
function signedForm(sent: string, decoded: string): Ask {
  return ({ now, trader }) => {
    const timestamp = `&timestamp=${now()}`;
    const signature = signatureOf(trader, decoded + timestamp);
    return {
      method: 'POST',
      target: path,
      headers: { 'X-MBX-APIKEY': trader.apiKey, 'Content-Type': form },
      body: `${sent}${timestamp}&signature=${signature}`,
    };
  };
}

const flip = (signature: string): string => signature.replace(/^./, (c) => (c === '0' ? '1' : '0'));
const head = 'POST /fapi/v1/order HTTP/1.1\r\nHost: x\r\n';
const login = 'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\n';
const formOrder = queryText(order);

export const asks: Readonly<Record<string, Ask>> = {
  ping: plain('GET', '/fapi/v1/ping'),
  'no Host, an absolute address': () => 'GET http://x/fapi/v1/ping?a=1 HTTP/1.1\r\n\r\n',
  'HTTP/1.0': () => 'GET /fapi/v1/ping HTTP/1.0\r\n\r\n',
  'asked to close': plain('GET', '/fapi/v1/ping', { headers: { Connection: 'close' } }),
  depth: plain('GET', '/fapi/v1/depth?symbol=BTCUSDT&limit=5'),
  'a long answer': plain('GET', '/fapi/v1/exchangeInfo'),
  'a page': plain('GET', '/docs'),
  health: plain('GET', '/health'),
  'a parameter missing': plain('GET', '/fapi/v1/depth'),
  'a parameter twice': plain('GET', '/fapi/v1/depth?symbol=BTCUSDT&SYMBOL=ETHUSDT'),
  'bytes that are no UTF-8': plain('GET', '/fapi/v1/depth?symbol=%ff'),
  'unknown path, FAPI': plain('GET', '/fapi/v1/nothing'),
  'unknown path, native': plain('GET', '/api/v1/nothing'),
  'the operator has another listener': plain('GET', '/operator/markets'),
  'a path in other case': plain('GET', '/FAPI/v1/ping'),
  'another method': plain('DELETE', '/fapi/v1/ping'),
  'a method that no row has': plain('PROPFIND', '/fapi/v1/ping'),
  // It has no body, so its end shows where the answer ends.
  HEAD: plain('HEAD', '/fapi/v1/depth?symbol=BTCUSDT', { headers: { Connection: 'close' } }),
  OPTIONS: plain('OPTIONS', path, { headers: { Origin: 'http://x' } }),
  'an upgrade to another protocol': plain('GET', '/fapi/v1/ping', {
    headers: { Connection: 'Upgrade', Upgrade: 'h2c' },
  }),
  'a bad escape in the path': plain('GET', '/fapi/v1/p%zzing'),
  'a malformed content type': () => `${head}Content-Type: ;;\r\nContent-Length: 2\r\n\r\n{}`,
  'a body of more than a megabyte': () =>
    `${head}Content-Type: ${json}\r\nContent-Length: 1048577\r\n\r\n`,
  'an order': signed('POST', path, order),
  'an order once more': signed('POST', path, { ...order, newClientOrderId: 'mine' }),
  'an order in a form': signedForm(formOrder, formOrder),
  'an order, sent encoded and signed decoded': signedForm(
    `newClientOrderId=a%3Ab&${formOrder}`,
    `newClientOrderId=a:b&${formOrder}`,
  ),
  'an order in chunks': (side) => {
    const asked = signed('POST', path, order)(side) as RawRequest;
    const { body = '', target, headers } = asked;
    const chunked = { ...headers, 'Transfer-Encoding': 'chunked' };
    const start = rawText({ method: 'POST', target, headers: chunked });
    return `${start}5\r\n${body.slice(0, 5)}\r\n${(body.length - 5).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`;
  },
  'an order with an Idempotency-Key': signed('POST', path, order, {
    headers: { 'Idempotency-Key': 'one' },
  }),
  'the same with another order': signed(
    'POST',
    path,
    { ...order, price: '49000.0' },
    { headers: { 'Idempotency-Key': 'one' } },
  ),
  'a batch of orders': signed('POST', '/fapi/v1/batchOrders', {
    batchOrders: [order, { ...order, price: 'x' }],
  }),
  'an order with a price off the tick': signed('POST', path, { ...order, price: '50000.05' }),
  'an order for more than there is': signed('POST', path, { ...order, quantity: '900' }),
  'an order without symbol': signed('POST', path, {}),
  'JSON that is none': ({ now, trader }) => {
    const query = `timestamp=${now()}`;
    const body = '{"symbol":';
    const target = `${path}?${query}&signature=${signatureOf(trader, query + body)}`;
    return { method: 'POST', target, headers: { 'X-MBX-APIKEY': trader.apiKey }, body };
  },
  'open orders': signed('GET', '/fapi/v1/openOrders', { symbol: 'BTCUSDT' }),
  'a cancel': signed('DELETE', path, { symbol: 'BTCUSDT', origClientOrderId: 'mine' }),
  'a cancel of nothing': signed('DELETE', path, {
    symbol: 'BTCUSDT',
    origClientOrderId: 'nobodys',
  }),
  'no key': signed('POST', path, order, { by: ({ trader }) => ({ ...trader, apiKey: '' }) }),
  'an unknown key': signed('POST', path, order, {
    by: ({ trader }) => ({ ...trader, apiKey: 'ab'.repeat(32) }),
  }),
  'a wrong signature': signed('POST', path, order, { spoil: flip }),
  'a short signature': signed('POST', path, order, { spoil: (text) => text.slice(1) }),
  'a signature in capitals': signed(
    'GET',
    '/fapi/v2/balance',
    {},
    {
      spoil: (text) => text.toUpperCase(),
    },
  ),
  'no signature': signed('POST', path, order, { spoil: () => '' }),
  'two signatures': signed('POST', path, order, { spoil: (text) => `${text}&signature=${text}` }),
  'a stale timestamp': signed('POST', path, order, { aheadMs: -60_001 }),
  'a timestamp of the future, wrongly signed': signed('POST', path, order, {
    aheadMs: 60_001,
    spoil: flip,
  }),
  'a key that works': signed('GET', '/fapi/v2/balance', {}, { by: ({ disabled }) => disabled }),
  'a key alone': ({ trader }) => ({
    method: 'POST',
    target: '/fapi/v1/listenKey',
    headers: { 'X-MBX-APIKEY': trader.apiKey },
  }),
  'a key with a wrong signature where none is needed': signed(
    'POST',
    '/fapi/v1/listenKey',
    {},
    {
      spoil: flip,
    },
  ),
  'the address of a proxy': signed(
    'GET',
    '/fapi/v2/balance',
    {},
    {
      by: ({ confined }) => confined,
      headers: { 'X-Forwarded-For': '203.0.113.7, 10.0.0.1' },
    },
  ),
  'a token': native('GET', '/api/v1/balances'),
  'a native order': native('POST', '/api/v1/orders', {
    headers: { 'Content-Type': json },
    body: '{"symbol":"BTCUSDT","side":"BUY","type":"LIMIT","quantity":"0.01","price":"50000"}',
  }),
  'a parameter of the path': native('GET', '/api/v1/orders/%C3%BC'),
  'an unknown token': native('GET', '/api/v1/balances', {
    headers: { Authorization: 'Bearer x' },
  }),
  'no token': plain('GET', '/api/v1/balances'),
  'an empty Authorization': plain('GET', '/api/v1/balances', { headers: { Authorization: '' } }),
  'a form where none is read': native('POST', '/api/v1/orders', {
    headers: { 'Content-Type': form },
    body: 'a=1',
  }),
};

/** No route sees these requests; a worker answers them by its own clock. */
export const unread: Readonly<Record<string, Ask>> = {
  'raw bytes beyond ASCII': plain('GET', '/fapi/v1/depth?symbol=\u00c3\u00bc'),
  'no HTTP': () => 'NONSENSE\r\n\r\n',
  'an unknown method': () => 'FOO /fapi/v1/ping HTTP/1.1\r\nHost: x\r\n\r\n',
  'a head that is too large': () => `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
  'a bad chunk': () => `${login}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  'two lengths': () => `${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
};

export const textOf = (side: Asker, ask: Ask): string => {
  const asked = ask(side);
  return typeof asked === 'string' ? asked : rawText(asked);
};

/** Requests that must succeed, or the comparison shows nothing. */
export const succeeding: ReadonlySet<string> = new Set([
  'ping',
  'depth',
  'a long answer',
  'a page',
  'an order',
  'an order once more',
  'an order in a form',
  'an order, sent encoded and signed decoded',
  'an order in chunks',
  'an order with an Idempotency-Key',
  'a batch of orders',
  'open orders',
  'a cancel',
  'a signature in capitals',
  'a key that works',
  'a key alone',
  'the address of a proxy',
  'a token',
  'a native order',
]);
