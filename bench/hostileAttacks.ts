// The attacks of the hostile benchmark, by name: what is sent and how. What they need of the
// exchange is made beforehand; this file has only bytes.

import { chunked, fill } from '../fuzz/costShapes.ts';
import { hmacHex, makeHmacKey } from '../src/gateway/identity/hmacSignature.ts';
import type { HostilePlan } from './hostileLoad.ts';
import type { Key } from './orderRequests.ts';

export type Attack = Pick<HostilePlan, 'way' | 'path' | 'texts' | 'connections'> & {
  readonly name: string;
  /** What else happens, in the middle of the time. */
  readonly beside?: 'price';
  /** It runs on its own exchange with this limit of file descriptors. */
  readonly descriptorsMax?: number;
};

export type AttackKeys = {
  /** All keys of one account. */
  readonly keys: readonly Key[];
};

/** At full rate, unless an attack is about the connections themselves. */
const connections = 8;
const pipelinedBytes = 65_000;
const timestampLeadMs = 30_000;
const form = 'Content-Type: application/x-www-form-urlencoded\r\n';

const get = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;

function post(target: string, body: string, headers = form): string {
  const length = `Content-Length: ${body.length}\r\n`;
  return `POST ${target} HTTP/1.1\r\nHost: x\r\n${headers}${length}\r\n${body}`;
}

type Signing = { readonly method: string; readonly path: string; readonly query: string };

function signed([apiKey, secret]: Key, { method, path, query }: Signing, body = ''): string {
  const text = `${query}&timestamp=${Date.now() + timestampLeadMs}`;
  const signature = hmacHex(makeHmacKey(secret), text + body, undefined);
  const head = `${method} ${path}?${text}&signature=${signature} HTTP/1.1\r\nHost: x\r\n`;
  const key = `X-MBX-APIKEY: ${apiKey}\r\n`;
  if (body === '') return `${head}${key}\r\n`;
  return `${head}${key}${form}Content-Length: ${body.length}\r\n\r\n${body}`;
}

/** Made again for each round, because signed requests contain the time. */
export function makeAttacks({ keys }: AttackKeys): readonly Attack[] {
  const ask = (name: string, texts: readonly string[]): Attack => {
    return { name, way: 'ask', path: '', texts, connections };
  };
  const flood = (target: string): Attack => {
    const texts = [fill(get(target), pipelinedBytes)];
    return {
      name: `pipelined ${target}, answers never read`,
      way: 'flood',
      path: '',
      texts,
      connections,
    };
  };
  const fok = 'symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=FOK&price=60900&quantity=9';
  const test = { method: 'POST', path: '/fapi/v1/order/test', query: fok };
  const list = { method: 'DELETE', path: '/fapi/v1/batchOrders', query: 'symbol=BTCUSDT' };
  const pieces = chunked(Buffer.alloc(100_000, 'a'), 1).toString('latin1');
  const chunks =
    `POST /fapi/v1/order HTTP/1.1\r\nHost: x\r\n${form}` +
    `Transfer-Encoding: chunked\r\n\r\n${pieces}`;
  const names = Array.from({ length: 1500 }, (_, at) => `btcusdt@kline_${at}`);
  const subscribe = JSON.stringify({ method: 'SUBSCRIBE', params: names, id: 1 });
  const channels = ['depth', 'ticker', 'trades', 'candles:1m', 'candles:5m', 'candles:1h'];
  const subscriptions = channels.map((channel) => {
    const [kind, period] = channel.split(':');
    const full = [kind, 'BTCUSDT', period].filter((part) => part !== undefined).join(':');
    return JSON.stringify({ type: 'subscribe', channel: full });
  });
  return [
    ask('a form of 1 MB of a&, no key', [post('/fapi/v1/order', fill('a&', 1_000_000))]),
    ask('a query of 16 KB of %&, no key', [get(`/fapi/v1/ping?${fill('%&', 15_500)}`)]),
    ask('70,001 × orderIdList, signed', [
      signed(keys[0]!, list, fill('orderIdList=1&', 14 * 70_001).slice(0, -1)),
    ]),
    ask('bodies in pieces of one byte, no key', [chunks]),
    flood('/metrics'),
    flood('/docs'),
    flood('/health'),
    ask(
      'order/test FOK over a deep book, 4 keys',
      keys.slice(0, 4).map((key) => signed(key, test)),
    ),
    ask(
      'order/test FOK over a deep book, 30 keys',
      keys.map((key) => signed(key, test)),
    ),
    { name: 'SUBSCRIBE of 32 KB', way: 'frames', path: '/ws', texts: [subscribe], connections },
    {
      ...{ name: '400 sockets of 6 channels, never read', way: 'deaf', path: '/ws' },
      ...{ texts: subscriptions, connections: 400 },
    },
    {
      ...{ name: '800 stops with FOK, and the price passes them', way: 'idle', path: '' },
      ...{ texts: [], connections: 1, beside: 'price' },
    },
    {
      ...{ name: '900 idle connections, 600 descriptors', way: 'idle', path: '' },
      ...{ texts: [], connections: 900, descriptorsMax: 600 },
    },
  ];
}
