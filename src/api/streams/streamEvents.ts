// The events of the convention's market streams (WS-3; conventions, 13.4) and the answers to
// requests there, by name.

import { type TObject, Type } from 'typebox';
import { closedObject } from './closedObject.ts';

const text = Type.String();
const count = Type.Integer();
const time = Type.Integer({ description: 'Milliseconds.' });
const flag = Type.Boolean();
const levels = Type.Array(Type.Tuple([text, text], { description: 'Price, quantity.' }));

const event = <Name extends string>(name: Name) => ({ e: Type.Literal(name), E: time });

const candle = {
  t: time,
  T: time,
  i: text,
  f: count,
  L: count,
  o: text,
  c: text,
  h: text,
  l: text,
  v: text,
  n: count,
  x: flag,
  q: text,
  V: text,
  Q: text,
  B: text,
};

const miniTicker = { s: text, c: text, o: text, h: text, l: text, v: text, q: text };

const listOf = (item: TObject) => Type.Array(item, { minItems: 1 });

const markPrice = closedObject({
  ...event('markPriceUpdate'),
  s: text,
  p: text,
  i: text,
  P: text,
  r: text,
  T: time,
});

const ticker = closedObject({
  ...event('24hrTicker'),
  ...miniTicker,
  p: text,
  P: text,
  w: text,
  Q: text,
  O: time,
  C: time,
  F: count,
  L: count,
  n: count,
});

const miniTickerEvent = closedObject({ ...event('24hrMiniTicker'), ...miniTicker });

export const streamEvents = {
  depthUpdate: closedObject({
    ...event('depthUpdate'),
    T: time,
    s: text,
    U: count,
    u: count,
    pu: count,
    b: levels,
    a: levels,
  }),
  bookTicker: closedObject({
    ...event('bookTicker'),
    u: count,
    T: time,
    s: text,
    b: text,
    B: text,
    a: text,
    A: text,
  }),
  aggTrade: closedObject({
    ...event('aggTrade'),
    s: text,
    a: count,
    p: text,
    q: text,
    nq: text,
    f: count,
    l: count,
    T: time,
    m: flag,
  }),
  trade: closedObject({
    ...event('trade'),
    T: time,
    s: text,
    t: count,
    p: text,
    q: text,
    X: Type.Literal('MARKET'),
    m: flag,
  }),
  kline: closedObject({ ...event('kline'), s: text, k: closedObject({ ...candle, s: text }) }),
  continuousKline: closedObject({
    ...event('continuous_kline'),
    ps: text,
    ct: Type.Literal('PERPETUAL'),
    k: closedObject(candle),
  }),
  markPrice,
  markPrices: listOf(markPrice),
  ticker,
  tickers: listOf(ticker),
  miniTicker: miniTickerEvent,
  miniTickers: listOf(miniTickerEvent),
  forceOrder: closedObject({
    ...event('forceOrder'),
    o: closedObject({
      s: text,
      S: Type.Enum(['BUY', 'SELL']),
      o: text,
      f: text,
      q: text,
      p: text,
      ap: text,
      X: text,
      l: text,
      z: text,
      T: time,
    }),
  }),
  contractInfo: closedObject({
    ...event('contractInfo'),
    s: text,
    ps: text,
    ct: Type.Literal('PERPETUAL'),
    dt: time,
    ot: time,
    cs: text,
  }),
} as const;

/** The names of the streams, and the event of each. */
export const marketStreams = {
  '<symbol>@depth': 'depthUpdate',
  '<symbol>@depth@100ms': 'depthUpdate',
  '<symbol>@depth@250ms': 'depthUpdate',
  '<symbol>@depth@500ms': 'depthUpdate',
  '<symbol>@depth5': 'depthUpdate',
  '<symbol>@depth10': 'depthUpdate',
  '<symbol>@depth20': 'depthUpdate',
  '<symbol>@bookTicker': 'bookTicker',
  '!bookTicker': 'bookTicker',
  '<symbol>@aggTrade': 'aggTrade',
  '<symbol>@trade': 'trade',
  '<symbol>@kline_<interval>': 'kline',
  '<symbol>_perpetual@continuousKline_<interval>': 'continuousKline',
  '<symbol>@markPrice': 'markPrice',
  '<symbol>@markPrice@1s': 'markPrice',
  '!markPrice@arr': 'markPrices',
  '!markPrice@arr@1s': 'markPrices',
  '<symbol>@ticker': 'ticker',
  '!ticker@arr': 'tickers',
  '<symbol>@miniTicker': 'miniTicker',
  '!miniTicker@arr': 'miniTickers',
  '<symbol>@forceOrder': 'forceOrder',
  '!forceOrder@arr': 'forceOrder',
  '!contractInfo': 'contractInfo',
} as const satisfies Readonly<Record<string, keyof typeof streamEvents>>;

const id = Type.Union([Type.Integer(), text, Type.Null()]);

/** The requests of a client, and their answers. */
export const streamRequests = {
  streamRequest: closedObject({
    method: Type.Enum([
      'SUBSCRIBE',
      'UNSUBSCRIBE',
      'LIST_SUBSCRIPTIONS',
      'SET_PROPERTY',
      'GET_PROPERTY',
    ]),
    params: Type.Optional(Type.Array(Type.Union([text, flag]))),
    id: Type.Optional(id),
  }),
} as const;

export const streamAnswers = {
  streamAnswer: closedObject({ result: Type.Union([Type.Null(), flag, Type.Array(text)]), id }),
  streamError: closedObject({
    code: Type.Integer({ minimum: 0, maximum: 3 }),
    msg: text,
    id: Type.Optional(id),
  }),
} as const;
