// What markets did, of all ages: trades, aggregates of them, closed candles, settled funding, the
// public log of deleveragings. Memory answers for the last of most of them (market-data/).

import { type Kysely, sql } from 'kysely';
import type { Side } from '../../engine/order.ts';
import type { Deleveraging } from '../../market-data/deleveragings.ts';
import type { SettledBoundary } from '../../market-data/settledFunding.ts';
import type { NativeInterval } from '../../units/interval.ts';
import type { Lots, MarketId, Ticks, Time } from '../../units/units.ts';
import type { HistoryTables } from '../historyTables.ts';
import type { CandleRow, TradeRow } from '../rows.ts';
import { rowsInWindow, type Window } from './rowsInWindow.ts';

type Database = Kysely<HistoryTables>;

export type TradesAsked = Omit<Window, 'from'> & {
  readonly market: MarketId;
  /** This one and those after it: a trade's number, or an aggregate's. */
  readonly fromId?: number | undefined;
};

async function trades(database: Database, asked: TradesAsked): Promise<TradeRow[]> {
  const bounds = await boundsOf(database, 'tradeId', asked);
  const rows = await database
    .selectFrom('trades')
    .selectAll()
    .where('market', '=', asked.market)
    .where('tradeId', '>=', bounds.first)
    .where('tradeId', '<=', bounds.last)
    .orderBy('tradeId', bounds.forward ? 'asc' : 'desc')
    .limit(asked.limit)
    .execute();
  return bounds.forward ? rows : rows.reverse();
}

/** Trades of one order at one price and time. */
export type AggregateRow = {
  readonly id: number;
  readonly firstId: number;
  readonly lastId: number;
  readonly ticks: Ticks;
  readonly lots: Lots;
  readonly takerSide: Side;
  readonly time: Time;
};

async function aggregates(database: Database, asked: TradesAsked): Promise<AggregateRow[]> {
  const bounds = await boundsOf(database, 'aggregateId', asked);
  const rows = await database
    .selectFrom('trades')
    .select(({ fn, ref }) => [
      'aggregateId as id',
      fn.min('tradeId').as('firstId'),
      fn.max('tradeId').as('lastId'),
      fn.min('ticks').as('ticks'),
      // A sum of whole numbers is of another kind than they are in one of the databases.
      sql<Lots>`cast(sum(${ref('lots')}) as bigint)`.as('lots'),
      fn.min('takerSide').as('takerSide'),
      fn.min('time').as('time'),
    ])
    .where('market', '=', asked.market)
    .where('aggregateId', '>=', bounds.first)
    .where('aggregateId', '<=', bounds.last)
    .groupBy('aggregateId')
    .orderBy('aggregateId', bounds.forward ? 'asc' : 'desc')
    .limit(asked.limit)
    .execute();
  return bounds.forward ? rows : rows.reverse();
}

type Bounds = { readonly first: number; readonly last: number; readonly forward: boolean };

const none = { first: 1, last: 0 };

/** The window in numbers, which grow with time: of two columns one index orders both. */
async function boundsOf(
  database: Database,
  column: 'tradeId' | 'aggregateId',
  { market, fromId, startTime, endTime }: TradesAsked,
): Promise<Bounds> {
  const forward = fromId !== undefined || startTime !== undefined;
  const ofMarket = database.selectFrom('trades').select(column).where('market', '=', market);
  let first = fromId ?? 0;
  let last = Number.MAX_SAFE_INTEGER;
  if (startTime !== undefined) {
    const [row] = await ofMarket
      .where('time', '>=', startTime as Time)
      .orderBy('time')
      .orderBy('tradeId')
      .limit(1)
      .execute();
    if (row === undefined) return { ...none, forward };
    first = Math.max(first, row[column]);
  }
  if (endTime !== undefined) {
    const [row] = await ofMarket
      .where('time', '<=', endTime as Time)
      .orderBy('time', 'desc')
      .orderBy('tradeId', 'desc')
      .limit(1)
      .execute();
    if (row === undefined) return { ...none, forward };
    last = row[column];
  }
  return { first, last, forward };
}

export type CandlesAsked = {
  readonly market: MarketId;
  readonly kind: CandleRow['kind'];
  readonly interval: NativeInterval;
  /** Times at which buckets open; both included. */
  readonly from: Time;
  readonly to: Time;
  readonly limit: number;
};

/** The first `limit` from there on, and before them the last one that opened earlier. */
async function candles(database: Database, asked: CandlesAsked): Promise<CandleRow[]> {
  const query = database
    .selectFrom('candles')
    .selectAll()
    .where('market', '=', asked.market)
    .where('kind', '=', asked.kind)
    .where('interval', '=', asked.interval);
  const earlier = await query
    .where('openTime', '<', asked.from)
    .orderBy('openTime', 'desc')
    .limit(1)
    .execute();
  const rows = await query
    .where('openTime', '>=', asked.from)
    .where('openTime', '<=', asked.to)
    .orderBy('openTime')
    .limit(asked.limit)
    .execute();
  return [...earlier, ...rows];
}

export type PublicAsked = Window & { readonly market?: MarketId | undefined };

function fundingRates(database: Database, asked: PublicAsked): Promise<SettledBoundary[]> {
  const query = database.selectFrom('fundingRates').selectAll();
  const chosen = asked.market === undefined ? query : query.where('market', '=', asked.market);
  return rowsInWindow(chosen, ['boundary', 'id'], asked);
}

function deleveragings(database: Database, asked: PublicAsked): Promise<Deleveraging[]> {
  const query = database.selectFrom('deleveragings').selectAll();
  const chosen = asked.market === undefined ? query : query.where('market', '=', asked.market);
  return rowsInWindow(chosen, ['time', 'id'], asked);
}

export const marketQueries = { trades, aggregates, candles, fundingRates, deleveragings } as const;
