// Draws requests for orders as trading clients send them, and spoils many of them: parameters that
// are missing, malformed, twice there or beyond a bound; keys, signatures, timestamps, bodies and
// headers that are refused. Not here: who gets them, and what is compared.

import { hmacHex, makeHmacKey } from '../../../src/gateway/identity/hmacSignature.ts';
import type { ReadHeaders } from '../../../src/gateway/incomingRequest.ts';
import type { Prng } from '../../../src/std/prng.ts';
import type { Trader } from '../gatewayWorld.ts';

type Asker = { readonly traders: readonly Trader[]; readonly now: number };
type Asked = {
  /** The name of its row. */
  readonly route: string;
  readonly incoming: {
    readonly method: string;
    readonly target: string;
    readonly peer: string;
    readonly headers: ReadHeaders;
    readonly body: Buffer | undefined;
  };
};
/** The same request for each side, with the keys and the time of the side. */
export type Drawn = (asker: Asker) => Asked;

const methods: Readonly<Record<string, string>> = {
  placeOrder: 'POST',
  cancelOrder: 'DELETE',
  getOpenOrder: 'GET',
  getOrder: 'GET',
  modifyOrder: 'PUT',
};

type Parameters = readonly (readonly [name: string, value: string])[];
type Form = 'json' | 'form' | 'query' | 'split';

type Signing = {
  readonly form: Form;
  readonly headers?: ReadHeaders;
  readonly aheadMs?: number;
  readonly times?: string;
  readonly spoil?: (signature: string) => string;
  readonly peer?: string;
};

const pairsText = (pairs: Parameters): string =>
  pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');

function bodyOf(form: Form, pairs: Parameters): string {
  if (form === 'query') return '';
  if (form === 'form') return pairsText(pairs);
  const own = form === 'split' ? pairs.slice(Math.ceil(pairs.length / 2)) : pairs;
  return `{${own.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)}}`;
}

function sign(
  { apiKey, secret }: Pick<Trader, 'apiKey' | 'secret'>,
  now: number,
  route: string,
  pairs: Parameters,
  { form, headers = {}, aheadMs = 0, times, spoil = (text) => text, peer = '192.0.2.1' }: Signing,
): Asked {
  const stamp = times ?? `timestamp=${now + aheadMs}`;
  const inQuery =
    form === 'query' ? pairs : form === 'split' ? pairs.slice(0, Math.ceil(pairs.length / 2)) : [];
  const query = [...(inQuery.length === 0 ? [] : [pairsText(inQuery)]), stamp].join('&');
  const body = bodyOf(form, pairs);
  const signature = spoil(hmacHex(makeHmacKey(secret), query + body, undefined));
  const method = methods[route]!;
  const type = form === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    route,
    incoming: {
      method,
      target: `/fapi/v1/order?${query}${signature === '' ? '' : `&signature=${signature}`}`,
      peer,
      headers: {
        'x-mbx-apikey': apiKey,
        ...(body === '' ? {} : { 'content-type': type, 'content-length': `${body.length}` }),
        ...headers,
      },
      body: body === '' ? undefined : Buffer.from(body),
    },
  };
}

const pick = <T>(prng: Prng, values: readonly T[]): T => values[prng.below(values.length)]!;

/** One in ten is odd. */
const mostly = (prng: Prng, usual: readonly string[], odd: readonly string[]): string =>
  pick(prng, prng.below(10) === 0 ? odd : usual);

function placePairs(prng: Prng): Parameters {
  const type = mostly(prng, ['LIMIT', 'LIMIT', 'LIMIT', 'MARKET'], ['STOP', 'limit', 'X']);
  const price = (59_500 + prng.below(10_000) / 10).toFixed(prng.below(10) === 0 ? 2 : 1);
  const pairs: [string, string][] = [
    ['symbol', mostly(prng, ['BTCUSDT', 'btcusdt', 'BTC-USDT'], ['DOGEUSDT', ' '])],
    ['side', mostly(prng, ['BUY', 'SELL'], ['HOLD', 'buy'])],
    ['type', type],
    ['quantity', mostly(prng, ['0.01', '0.002', '0.0105'], ['900', '0', '-1', '1e3', ''])],
  ];
  if (type !== 'MARKET') pairs.push(['price', price]);
  if (type === 'STOP') pairs.push(['stopPrice', '61000']);
  const sometimes = (name: string, usual: readonly string[], odd: readonly string[]): void => {
    if (prng.below(5) === 0) pairs.push([name, mostly(prng, usual, odd)]);
  };
  sometimes('timeInForce', ['GTC', 'IOC', 'FOK', 'GTX'], ['GTD', 'X']);
  sometimes('newClientOrderId', ['a', 'b', 'c:1', `d${prng.below(9)}`], ['ü', 'x y']);
  sometimes('reduceOnly', ['false', 'true'], ['maybe']);
  sometimes('newOrderRespType', ['ACK', 'RESULT'], ['FULL']);
  sometimes('selfTradePreventionMode', ['EXPIRE_BOTH', 'EXPIRE_TAKER'], ['NO']);
  sometimes('unknown', ['1'], ['']);
  if (prng.below(30) === 0) pairs.push(['closePosition', 'true']);
  return pairs;
}

function choicePairs(prng: Prng, known: readonly string[]): Parameters {
  const pairs: [string, string][] = [['symbol', mostly(prng, ['BTCUSDT'], ['ETHUSDT', 'X'])]];
  const ids = known.length === 0 ? ['none'] : known.slice(-12);
  if (prng.below(6) > 0) pairs.push(['orderId', mostly(prng, ids, ['12', 'x'])]);
  if (prng.below(4) === 0) pairs.push(['origClientOrderId', pick(prng, ['a', 'b', 'nobodys'])]);
  return pairs;
}

/** One change that most often makes the parameters wrong. */
function spoilPairs(prng: Prng, pairs: Parameters): Parameters {
  if (prng.below(8) > 0) return pairs;
  const at = prng.below(pairs.length);
  const [name, value] = pairs[at]!;
  const others = pairs.filter((_, index) => index !== at);
  return pick<Parameters>(prng, [
    others,
    [...pairs, [name, value]],
    [...pairs, [name.toUpperCase(), '1']],
    [...others, [name, '']],
    [...others, [name, '9'.repeat(40)]],
    [...others, [name, 'a&b=c']],
  ]);
}

function drawSigning(prng: Prng): Signing {
  const form = pick<Form>(prng, ['json', 'json', 'form', 'query', 'split']);
  if (prng.below(5) > 0) return { form };
  const flip = (text: string): string => (text[0] === '0' ? '1' : '0') + text.slice(1);
  return pick<Signing>(prng, [
    { form, spoil: flip },
    { form, spoil: () => '' },
    { form, spoil: (text) => `${text}&signature=${text}` },
    { form, spoil: (text) => text.toUpperCase() },
    { form, aheadMs: -60_001 },
    { form, aheadMs: 60_001 },
    { form, aheadMs: -59_000 },
    { form, times: 'timestamp=x' },
    { form, times: 'recvWindow=5000' },
    { form, headers: { 'idempotency-key': pick(prng, ['one', 'two', '']) } },
    { form, headers: { 'x-forwarded-for': '203.0.113.7, 10.0.0.1' }, peer: '127.0.0.1' },
    { form, headers: { 'content-type': 'text/plain' } },
    { form, headers: { 'content-length': '9000' } },
    { form, peer: '2001:db8:1:2:3::4' },
    { form, headers: { 'x-mbx-apikey': pick(prng, ['', 'ab'.repeat(32)]) } },
  ]);
}

/** `known`: the ids of orders that were answered. */
export function drawRequest(prng: Prng, known: readonly string[]): Drawn {
  const rows = [
    'placeOrder',
    'placeOrder',
    'placeOrder',
    'placeOrder',
    'cancelOrder',
    'cancelOrder',
  ];
  const route = pick(prng, [...rows, 'getOpenOrder', 'getOrder', 'modifyOrder']);
  const own = route === 'placeOrder' ? placePairs(prng) : choicePairs(prng, known);
  const pairs = spoilPairs(prng, own);
  const signing = drawSigning(prng);
  const who = pick(prng, [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2]);
  return ({ traders, now }) => sign(traders[who]!, now, route, pairs, signing);
}

/** A usual request. */
drawRequest.signed = (
  trader: Trader,
  now: number,
  route: string,
  parameters: Readonly<Record<string, string>>,
): Asked => sign(trader, now, route, Object.entries(parameters), { form: 'json' });
