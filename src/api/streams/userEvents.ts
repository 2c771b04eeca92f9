// The events of the user data stream (WS-3; conventions, 12), by name.

import { Type } from 'typebox';
import { closedObject } from './closedObject.ts';

const text = Type.String();
const count = Type.Integer();
const time = Type.Integer({ description: 'Milliseconds.' });
const flag = Type.Boolean();
const side = Type.Enum(['BUY', 'SELL']);
const both = Type.Literal('BOTH');
const optional = Type.Optional;

const event = <Name extends string>(name: Name) => ({ e: Type.Literal(name), E: time });

const order = closedObject({
  s: text,
  c: text,
  S: side,
  o: text,
  f: text,
  q: text,
  p: text,
  ap: text,
  x: Type.Enum(['NEW', 'TRADE', 'AMENDMENT', 'CANCELED', 'CALCULATED']),
  X: text,
  i: text,
  z: text,
  l: text,
  L: text,
  N: optional(text),
  n: optional(text),
  t: count,
  m: flag,
  rp: text,
  T: time,
  b: text,
  a: text,
  R: flag,
  wt: text,
  ot: text,
  ps: both,
  pP: flag,
  si: count,
  ss: count,
  V: text,
  pm: text,
  er: text,
  sp: text,
  cp: flag,
  gtd: time,
  AP: optional(text),
  cr: optional(text),
});

const algo = closedObject({
  caid: text,
  aid: text,
  at: Type.Literal('CONDITIONAL'),
  o: text,
  s: text,
  S: side,
  ps: both,
  f: text,
  q: text,
  X: text,
  ai: text,
  ap: text,
  aq: text,
  act: text,
  tp: text,
  p: text,
  V: text,
  wt: text,
  pm: text,
  cp: flag,
  pP: flag,
  R: flag,
  tt: time,
  gtd: time,
  ia: optional(flag),
  rm: optional(text),
});

const balanceRow = closedObject({ a: text, wb: text, cw: text, bc: text });

const positionRow = closedObject({
  s: text,
  pa: text,
  ep: text,
  bep: text,
  cr: text,
  up: text,
  mt: text,
  iw: text,
  ps: both,
  ma: text,
});

const calledRow = closedObject({
  s: text,
  ps: both,
  pa: text,
  mt: text,
  iw: text,
  mp: text,
  up: text,
  mm: text,
});

export const userEvents = {
  orderTradeUpdate: closedObject({ ...event('ORDER_TRADE_UPDATE'), T: time, o: order }),
  tradeLite: closedObject({
    ...event('TRADE_LITE'),
    T: time,
    s: text,
    q: text,
    p: text,
    m: flag,
    c: text,
    S: side,
    L: text,
    l: text,
    t: count,
    i: text,
  }),
  accountUpdate: closedObject({
    ...event('ACCOUNT_UPDATE'),
    T: time,
    a: closedObject({ m: text, B: Type.Array(balanceRow), P: Type.Array(positionRow) }),
  }),
  algoUpdate: closedObject({ ...event('ALGO_UPDATE'), T: time, o: algo }),
  accountConfigUpdate: closedObject({
    ...event('ACCOUNT_CONFIG_UPDATE'),
    T: time,
    ac: closedObject({ s: text, l: count }),
  }),
  marginCall: closedObject({ ...event('MARGIN_CALL'), cw: text, p: Type.Array(calledRow) }),
  listenKeyExpired: closedObject({ ...event('listenKeyExpired'), listenKey: text }),
} as const;
