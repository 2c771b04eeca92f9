// The messages of the channel protocol at /ws (WS-1, WS-2), from clients and from the server, by
// name. The typed client, the document of the streams and the tests are made from them.

import { type Static, Type } from 'typebox';
import { armedMarketsMax } from '../../engine/limits.ts';
import { intervals } from '../../units/interval.ts';
import { depositSchema } from '../depositRecord.ts';
import { enumerations } from '../enumerations.ts';
import {
  accountBalanceSchema,
  accountOrderSchema,
  accountPositionSchema,
  accountTriggerSchema,
} from '../native/accountRecords.ts';
import { getTicker } from '../native/getTicker.ts';
import { restrictionMember } from '../restrictionMember.ts';
import { withdrawalSchema } from '../withdrawalRecord.ts';
import { closedObject, closedRecord } from './closedObject.ts';

const text = Type.String();
const time = Type.Integer({ description: 'Milliseconds.' });
const side = Type.Enum(['BUY', 'SELL']);

/** The place of a message in its channel (WS-2). */
const place = {
  channel: text,
  seq: Type.Integer(),
  prev_seq: Type.Integer(),
  epoch: text,
};

const level = Type.Tuple([text, text], { description: 'Price, quantity.' });

const depth = closedObject({
  type: Type.Literal('depth'),
  ...place,
  symbol: text,
  snapshot: Type.Boolean(),
  time,
  bids: Type.Array(level),
  asks: Type.Array(level),
  checksum: Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }),
});

const levels = closedObject({
  type: Type.Literal('levels'),
  channel: text,
  symbol: text,
  time,
  bids: Type.Array(level),
  asks: Type.Array(level),
});

const prices = closedObject({
  type: Type.Literal('prices'),
  channel: text,
  symbol: text,
  mark_price: text,
  index_price: text,
  funding_rate: text,
  next_funding_time: time,
  time,
});

const { type: _, ...tickerMembers } = getTicker.response.properties;

const tickers = closedObject({
  type: Type.Literal('tickers'),
  channel: Type.Literal('tickers'),
  snapshot: Type.Boolean(),
  time,
  tickers: Type.Array(
    closedObject({ ...tickerMembers, status: enumerations.marketStatus, ...restrictionMember }),
  ),
});

const trade = closedObject({
  type: Type.Literal('trade'),
  ...place,
  snapshot: Type.Boolean(),
  trades: Type.Array(
    closedObject({ trade_id: Type.Integer(), price: text, qty: text, taker_side: side, time }),
  ),
});

const candle = closedObject({
  type: Type.Literal('candle'),
  ...place,
  interval: Type.Enum([...intervals]),
  open_time: time,
  open: text,
  high: text,
  low: text,
  close: text,
  volume: text,
  quote_volume: text,
  trades: Type.Integer(),
  closed: Type.Boolean(),
});

const order = closedRecord(accountOrderSchema);
const trigger = closedRecord(accountTriggerSchema);
const position = closedRecord(accountPositionSchema);
const balance = closedRecord(accountBalanceSchema);

const accountSnapshot = closedObject({
  type: Type.Literal('account'),
  ...place,
  snapshot: Type.Literal(true),
  balances: Type.Tuple([balance]),
  positions: Type.Array(position),
  orders: Type.Array(order),
  triggers: Type.Array(trigger),
});

const fill = closedObject({
  symbol: text,
  id: Type.Integer(),
  order_id: text,
  client_order_id: text,
  side,
  price: text,
  qty: text,
  quote_qty: text,
  realized_pnl: text,
  commission: text,
  commission_asset: text,
  time,
  position_side: Type.Literal('BOTH'),
  buyer: Type.Boolean(),
  maker: Type.Boolean(),
});

const funding = closedObject({
  symbol: text,
  funding_rate: text,
  position_size: text,
  funding_fee: text,
  position_side: Type.Enum(['LONG', 'SHORT']),
  asset: text,
  time,
  tran_id: text,
});

const liquidation = Type.Union([
  closedObject({
    kind: Type.Enum(['flagged', 'cleared']),
    symbol: Type.Union([text, Type.Null()]),
    equity: text,
    maint_margin: text,
    time,
  }),
  closedObject({
    kind: Type.Enum(['takeover', 'deleveraging', 'fund_reduction']),
    symbol: text,
    side,
    price: text,
    qty: text,
    realized_pnl: text,
    id: text,
    time,
  }),
  closedObject({
    kind: Type.Enum(['fee', 'profit_shared']),
    symbol: text,
    amount: text,
    id: text,
    time,
  }),
]);

const accountEvents = {
  ...{ order, trigger, fill, position, balance, funding, liquidation },
  deposit: closedRecord(depositSchema),
  withdrawal: closedRecord(withdrawalSchema),
} as const;
type AccountEventName = keyof typeof accountEvents;

const accountEvent = <Name extends AccountEventName>(event: Name) =>
  closedObject({
    type: Type.Literal('account'),
    ...place,
    event: Type.Literal(event),
    data: accountEvents[event],
  });

/** What moved with the mark alone: no number, because the next one replaces it (WS-2). */
const accountFigures = closedObject({
  type: Type.Literal('account'),
  channel: text,
  event: Type.Literal('figures'),
  data: closedObject({
    balance,
    positions: Type.Array(position),
    triggers: Type.Array(closedObject({ algo_id: text, trigger_price: text })),
  }),
});

/** The messages of the server. */
export const channelMessages = {
  subscribed: closedObject({ type: Type.Literal('subscribed'), channel: text }),
  unsubscribed: closedObject({ type: Type.Literal('unsubscribed'), channel: text }),
  reset: closedObject({ type: Type.Literal('reset'), channel: text }),
  authenticated: closedObject({
    type: Type.Literal('authenticated'),
    address: text,
    expires_at: Type.Integer({ description: 'Seconds.' }),
  }),
  pong: closedObject({ type: Type.Literal('pong') }),
  error: closedObject({
    type: Type.Literal('error'),
    code: Type.Enum([
      'ERR_INVALID_PERIOD',
      'INTERNAL',
      'INVALID_MARKET',
      'INVALID_PARAMETER',
      'INVALID_TOKEN',
      'LIMIT_REACHED',
      'TOO_MANY_REQUESTS',
    ]),
    message: text,
    channel: Type.Optional(text),
    request: Type.Optional(Type.Literal('cancel_on_disconnect')),
  }),
  cancelOnDisconnect: closedObject({
    type: Type.Literal('cancel_on_disconnect'),
    enabled: Type.Boolean(),
    symbols: Type.Optional(Type.Array(text, { description: 'Left out when there is no list.' })),
  }),
  ticker: closedRecord(getTicker.response),
  tickers,
  prices,
  depth,
  levels,
  trade,
  candle,
  accountSnapshot,
  accountOrder: accountEvent('order'),
  accountTrigger: accountEvent('trigger'),
  accountFill: accountEvent('fill'),
  accountPosition: accountEvent('position'),
  accountBalance: accountEvent('balance'),
  accountFunding: accountEvent('funding'),
  accountLiquidation: accountEvent('liquidation'),
  accountDeposit: accountEvent('deposit'),
  accountWithdrawal: accountEvent('withdrawal'),
  accountFigures,
} as const;

export type ChannelMessages = {
  readonly [Name in keyof typeof channelMessages]: Static<(typeof channelMessages)[Name]>;
};

/** The messages of a client. */
export const clientMessages = {
  subscribe: closedObject({ type: Type.Literal('subscribe'), channel: text }),
  unsubscribe: closedObject({ type: Type.Literal('unsubscribe'), channel: text }),
  resume: closedObject({
    type: Type.Literal('resume'),
    channel: text,
    epoch: text,
    seq: Type.Integer(),
  }),
  auth: closedObject({ type: Type.Literal('auth'), token: text }),
  ping: closedObject({ type: Type.Literal('ping') }),
  cancelOnDisconnect: closedObject({
    type: Type.Literal('cancel_on_disconnect'),
    enabled: Type.Boolean({ description: 'False: the end of this connection ends nothing.' }),
    symbols: Type.Optional(
      Type.Array(text, {
        minItems: 1,
        maxItems: armedMarketsMax,
        description: 'Only with enabled; without it all symbols, also later ones.',
      }),
    ),
  }),
} as const;

export type ClientMessages = {
  readonly [Name in keyof typeof clientMessages]: Static<(typeof clientMessages)[Name]>;
};

/** The names of the channels, and the messages of the server in each. */
export const channels = {
  'ticker:<symbol>': ['ticker'],
  tickers: ['tickers'],
  'prices:<symbol>': ['prices'],
  'depth:<symbol>': ['depth'],
  'depth:<symbol>:<levels>': ['levels'],
  'trades:<symbol>': ['trade'],
  'candles:<symbol>:<interval>': ['candle'],
  account: [
    'accountSnapshot',
    'accountOrder',
    'accountTrigger',
    'accountFill',
    'accountPosition',
    'accountBalance',
    'accountFunding',
    'accountLiquidation',
    'accountDeposit',
    'accountWithdrawal',
    'accountFigures',
  ],
} as const satisfies Readonly<Record<string, readonly (keyof typeof channelMessages)[]>>;
