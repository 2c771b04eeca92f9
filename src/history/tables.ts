// The tables of history for programs that write or read them: the kind of each column, the key that
// identifies a row (which begins with what lists are read by: account and time), and the columns
// that a later row of the same key may change. migrations/ makes the tables and their indexes.

import { Fault } from '../std/assert.ts';
import type { ChangingTable, RowsByTable, TableName } from './rows.ts';

/** Safe integers, booleans, texts. */
export type ColumnKind = 'integer' | 'boolean' | 'text';

type KindOf<Value> = Value extends boolean ? 'boolean' : Value extends number ? 'integer' : 'text';

export type Columns<Row> = { readonly [Column in keyof Row & string]: KindOf<Row[Column]> };

export type Table<Row> = {
  readonly columns: Columns<Row>;
  readonly key: readonly (keyof Row & string)[];
  /**
   * The columns that may change when a row is written again in its last state; empty for a table
   * whose rows never change.
   */
  readonly changing: readonly (keyof Row & string)[];
};

type Tables = { readonly [Name in TableName]: Table<RowsByTable[Name]> };

const accounts: Tables['accounts'] = {
  columns: { id: 'integer', address: 'text', createdAt: 'integer' },
  key: ['id'],
  changing: [],
};

const markets: Tables['markets'] = {
  columns: { id: 'integer', symbol: 'text', tickSize: 'text', lotSize: 'text', status: 'text' },
  key: ['id'],
  changing: ['status'],
};

const orders: Tables['orders'] = {
  columns: {
    id: 'integer',
    account: 'integer',
    market: 'integer',
    side: 'integer',
    type: 'text',
    timeInForce: 'text',
    reduceOnly: 'boolean',
    selfTradeMode: 'text',
    workingType: 'text',
    priceProtect: 'boolean',
    origin: 'text',
    trigger: 'integer',
    clientOrderId: 'text',
    createdAt: 'integer',
    markAtCreation: 'integer',
    ticks: 'integer',
    lots: 'integer',
    leverage: 'integer',
    status: 'text',
    cancelReason: 'text',
    updatedAt: 'integer',
    open: 'integer',
    filled: 'integer',
    filledNotional: 'integer',
    takeProfitId: 'integer',
    stopLossId: 'integer',
  },
  key: ['id'],
  changing: [
    'ticks',
    'lots',
    'leverage',
    'status',
    'cancelReason',
    'updatedAt',
    'open',
    'filled',
    'filledNotional',
  ],
};

const triggers: Tables['triggers'] = {
  columns: {
    id: 'integer',
    account: 'integer',
    market: 'integer',
    route: 'text',
    side: 'integer',
    type: 'text',
    timeInForce: 'text',
    lots: 'integer',
    ticks: 'integer',
    reduceOnly: 'boolean',
    closePosition: 'boolean',
    selfTradeMode: 'text',
    workingType: 'text',
    priceProtect: 'boolean',
    clientOrderId: 'text',
    goodTillDate: 'integer',
    createdAt: 'integer',
    markAtCreation: 'integer',
    callbackRate: 'integer',
    activationTicks: 'integer',
    stopTicks: 'integer',
    extreme: 'integer',
    status: 'text',
    failure: 'text',
    triggeredAt: 'integer',
    order: 'integer',
    updatedAt: 'integer',
    pairId: 'integer',
    pairCreatedAt: 'integer',
    pairKind: 'text',
    takeProfitId: 'integer',
    stopLossId: 'integer',
  },
  key: ['id'],
  changing: [
    'lots',
    'ticks',
    'stopTicks',
    'callbackRate',
    'extreme',
    'status',
    'failure',
    'triggeredAt',
    'order',
    'updatedAt',
  ],
};

const fills: Tables['fills'] = {
  columns: {
    account: 'integer',
    market: 'integer',
    tradeId: 'integer',
    maker: 'boolean',
    kind: 'text',
    side: 'integer',
    order: 'integer',
    orderCreatedAt: 'integer',
    orderType: 'text',
    markAtCreation: 'integer',
    ticks: 'integer',
    lots: 'integer',
    notional: 'integer',
    pnl: 'integer',
    fee: 'integer',
    position: 'integer',
    event: 'integer',
    ledgerId: 'integer',
    balance: 'integer',
    time: 'integer',
  },
  // When an account trades with itself, it has both sides of the trade.
  key: ['account', 'time', 'ledgerId', 'market', 'tradeId', 'maker'],
  changing: [],
};

const trades: Tables['trades'] = {
  columns: {
    market: 'integer',
    tradeId: 'integer',
    ticks: 'integer',
    lots: 'integer',
    takerSide: 'integer',
    liquidation: 'boolean',
    aggregateId: 'integer',
    time: 'integer',
  },
  key: ['market', 'tradeId'],
  changing: [],
};

const ledger: Tables['ledger'] = {
  columns: {
    id: 'integer',
    account: 'integer',
    kind: 'text',
    market: 'integer',
    amount: 'integer',
    balance: 'integer',
    event: 'integer',
    reference: 'text',
    time: 'integer',
  },
  key: ['account', 'time', 'id'],
  changing: [],
};

const amendments: Tables['amendments'] = {
  columns: {
    id: 'integer',
    account: 'integer',
    market: 'integer',
    order: 'integer',
    orderCreatedAt: 'integer',
    clientOrderId: 'text',
    ticksBefore: 'integer',
    lotsBefore: 'integer',
    ticks: 'integer',
    lots: 'integer',
    time: 'integer',
  },
  key: ['order', 'time', 'id'],
  changing: [],
};

const fundingPayments: Tables['fundingPayments'] = {
  columns: {
    id: 'integer',
    account: 'integer',
    market: 'integer',
    boundary: 'integer',
    rate: 'integer',
    lots: 'integer',
    amount: 'integer',
    time: 'integer',
  },
  key: ['account', 'time', 'id'],
  changing: [],
};

const fundingRates: Tables['fundingRates'] = {
  columns: {
    id: 'integer',
    market: 'integer',
    boundary: 'integer',
    rate: 'integer',
    mark: 'integer',
  },
  key: ['id'],
  changing: [],
};

const forceOrders: Tables['forceOrders'] = {
  columns: {
    id: 'integer',
    account: 'integer',
    market: 'integer',
    side: 'integer',
    autoCloseType: 'text',
    ticks: 'integer',
    lots: 'integer',
    filled: 'integer',
    notional: 'integer',
    time: 'integer',
  },
  // The two sides of a deleveraging share its number and differ in their account.
  key: ['account', 'time', 'id'],
  changing: [],
};

const deleveragings: Tables['deleveragings'] = {
  columns: {
    id: 'integer',
    market: 'integer',
    time: 'integer',
    cause: 'text',
    side: 'integer',
    ticks: 'integer',
    mark: 'integer',
    lots: 'integer',
    unrealized: 'integer',
    notional: 'integer',
    entry: 'integer',
    equity: 'integer',
  },
  key: ['id'],
  changing: [],
};

const withdrawals: Tables['withdrawals'] = {
  columns: {
    id: 'integer',
    account: 'integer',
    amount: 'integer',
    createdAt: 'integer',
    status: 'text',
    resolvedAt: 'integer',
  },
  key: ['account', 'createdAt', 'id'],
  changing: ['status', 'resolvedAt'],
};

const deposits: Tables['deposits'] = {
  columns: {
    id: 'integer',
    account: 'integer',
    amount: 'integer',
    reference: 'text',
    time: 'integer',
  },
  key: ['account', 'time', 'id'],
  changing: [],
};

const referralDays: Tables['referralDays'] = {
  columns: { account: 'integer', day: 'integer', amount: 'integer' },
  key: ['account', 'day'],
  changing: ['amount'],
};

const candles: Tables['candles'] = {
  columns: {
    market: 'integer',
    kind: 'text',
    interval: 'text',
    openTime: 'integer',
    open: 'integer',
    high: 'integer',
    low: 'integer',
    close: 'integer',
    volume: 'text',
    quoteVolume: 'text',
    count: 'integer',
    firstId: 'integer',
    lastId: 'integer',
  },
  key: ['market', 'kind', 'interval', 'openTime'],
  changing: [],
};

/** In the order in which a transaction writes them. */
export const tables: Tables = {
  accounts,
  markets,
  orders,
  triggers,
  fills,
  trades,
  ledger,
  amendments,
  fundingPayments,
  fundingRates,
  forceOrders,
  deleveragings,
  withdrawals,
  deposits,
  referralDays,
  candles,
};

export const tableNames = Object.keys(tables) as readonly TableName[];

export const changingTables = tableNames.filter(
  (name): name is ChangingTable => tables[name].changing.length > 0,
);

/** The number itself. Faults when a database cannot hold it exactly. */
export function safeInteger(value: number): number {
  if (Number.isSafeInteger(value)) return value;
  throw new Fault(`a number of history is a safe integer, not ${value}`);
}

/** The name that a table or column has in the database: `fundingPayments` is `funding_payments`. */
export function databaseName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** That name as statements write it, quoted because it may be a keyword. */
export function quotedName(name: string): string {
  return `"${databaseName(name)}"`;
}
