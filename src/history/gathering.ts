// What a projector holds between two drains: rows that never change after creation, and the ids of
// the changing things that changed. It also holds what continues over drains: the numbers given so
// far, and what the next row must know about earlier ones.

import {
  accountById,
  type Exchange,
  marketById,
  orderById,
  withdrawalsOf,
} from '../engine/views/exchange.ts';
import type { Order } from '../engine/views/order.ts';
import { newestRow } from '../market-data/rowRing.ts';
import type { WithdrawalRow } from '../market-data/withdrawals.ts';
import type { ReplicaState } from '../replica/replicaState.ts';
import { must } from '../std/assert.ts';
import { formatSteps } from '../units/decimal.ts';
import type { AccountId, MarketId, OrderId, Time } from '../units/units.ts';
import type { AggregateTail, HistoryCounters, HistoryPlace, HistoryRows } from './history.ts';
import { createLedger, type Ledger } from './ledgerOfStep.ts';
import { orderRowOf } from './orderRowOf.ts';
import type {
  AccountRow,
  ChangingTable,
  MarketRow,
  ReferralDayRow,
  RowsByTable,
  TableName,
  TriggerRow,
} from './rows.ts';

type Queues = { readonly [Table in Exclude<TableName, ChangingTable>]: RowsByTable[Table][] };
/** Ids of what has begun since the last drain. */
type Begun = { readonly [Table in ChangingTable]: Set<number | string> };

export type Gathering = {
  queues: Queues;
  /** Orders that changed: the record of an ended one, undefined for a live one. */
  orders: Map<OrderId, Readonly<Order> | undefined>;
  triggers: Map<OrderId, TriggerRow>;
  withdrawals: Map<OrderId, WithdrawalRow>;
  markets: Set<MarketId>;
  /** By account and day. */
  referralDays: Map<string, ReferralDayRow>;
  /**
   * Those of the above that have no row in the tables yet: they are written as new rows, the rest
   * as changes.
   */
  begun: Begun;
  /** Withdrawals that wait for the chain. */
  readonly pending: Map<OrderId, WithdrawalRow>;
  readonly ledger: Ledger;
  amendments: number;
  settlements: number;
  /** By market number. */
  readonly aggregates: AggregateTail[];
};

/** A gathering for a replica at `place`. */
export function createGathering(place: HistoryPlace, { exchange, views }: ReplicaState): Gathering {
  const { ledger, amendments, aggregates } = place.counters;
  const pending = [...withdrawalsOf(exchange)].map(
    ({ id, account, amount, createdAt }) =>
      [id, { id, account, amount, createdAt, status: 'pending', resolvedAt: 0 as Time }] as const,
  );
  return {
    queues: createQueues(),
    orders: new Map(),
    triggers: new Map(),
    withdrawals: new Map(),
    markets: new Set(),
    referralDays: new Map(),
    begun: createBegun(),
    pending: new Map(pending),
    ledger: createLedger(ledger, exchange),
    amendments,
    settlements: newestRow(views.settledFunding)?.id ?? 0,
    aggregates: [...aggregates],
  };
}

function createQueues(): Queues {
  return {
    accounts: [],
    fills: [],
    trades: [],
    ledger: [],
    amendments: [],
    fundingPayments: [],
    fundingRates: [],
    forceOrders: [],
    deleveragings: [],
    deposits: [],
    candles: [],
  };
}

function createBegun(): Begun {
  return {
    orders: new Set(),
    triggers: new Set(),
    withdrawals: new Set(),
    markets: new Set(),
    referralDays: new Set(),
  };
}

/** Not by spreading: a funding boundary may make more rows than a call has arguments. */
export function append<Row>(queue: Row[], rows: readonly Row[]): void {
  for (const row of rows) queue.push(row);
}

/** The number of rows that wait. */
export function sizeOf(gathering: Gathering): number {
  const { queues, orders, triggers, withdrawals, markets, referralDays } = gathering;
  let size = orders.size + triggers.size + withdrawals.size + markets.size + referralDays.size;
  for (const name in queues) size += queues[name as keyof Queues].length;
  return size;
}

export type Drained = { readonly rows: HistoryRows; readonly counters: HistoryCounters };

/** Takes out the gathered rows; changing things have their present state. */
export function drainGathering(gathering: Gathering, exchange: Exchange): Drained {
  const { queues, begun, ledger, amendments, aggregates } = gathering;
  const orders = [...gathering.orders].map(([id, ended]) =>
    orderRowOf(ended ?? must(orderById(exchange, id), 'an order that has not ended lives')),
  );
  const [newOrders, changedOrders] = parted(orders, begun.orders);
  const [newTriggers, changedTriggers] = parted(gathering.triggers.values(), begun.triggers);
  const withdrawals = gathering.withdrawals.values();
  const [newWithdrawals, changedWithdrawals] = parted(withdrawals, begun.withdrawals);
  const markets = [...gathering.markets].map((id) => marketRowOf(exchange, id));
  const [newMarkets, changedMarkets] = parted(markets, begun.markets);
  const days = gathering.referralDays.values();
  const [newDays, changedDays] = parted(days, begun.referralDays, referralDayKey);
  const rows: HistoryRows = {
    ...queues,
    orders: newOrders,
    triggers: newTriggers,
    withdrawals: newWithdrawals,
    markets: newMarkets,
    referralDays: newDays,
    changed: {
      orders: changedOrders,
      triggers: changedTriggers,
      withdrawals: changedWithdrawals,
      markets: changedMarkets,
      referralDays: changedDays,
    },
  };
  gathering.queues = createQueues();
  gathering.orders = new Map();
  gathering.triggers = new Map();
  gathering.withdrawals = new Map();
  gathering.markets = new Set();
  gathering.referralDays = new Map();
  gathering.begun = createBegun();
  return { rows, counters: { ledger: ledger.rows, amendments, aggregates: [...aggregates] } };
}

/** New rows, and changed rows. */
function parted<Row>(
  rows: Iterable<Row>,
  begun: ReadonlySet<number | string>,
  keyOf: (row: Row) => number | string = (row) => (row as { readonly id: number }).id,
): readonly [missing: Row[], changed: Row[]] {
  const [missing, changed]: [Row[], Row[]] = [[], []];
  for (const row of rows) (begun.has(keyOf(row)) ? missing : changed).push(row);
  return [missing, changed];
}

/** A day of a referrer has no number of its own. */
export function referralDayKey({ account, day }: ReferralDayRow): string {
  return `${account} ${day}`;
}

export function accountRowOf(exchange: Exchange, account: AccountId): AccountRow {
  const { id, address, createdAt } = must(
    accountById(exchange, account),
    'an account with money is never forgotten',
  );
  return { id, address, createdAt };
}

function marketRowOf(exchange: Exchange, market: MarketId): MarketRow {
  const { id, symbol, tick, lot, status } = must(
    marketById(exchange, market),
    'a market is never forgotten',
  );
  return { id, symbol, tickSize: formatSteps(1, tick), lotSize: formatSteps(1, lot), status };
}
