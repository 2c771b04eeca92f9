// What markets did, without an age limit: trades, their aggregates, closed candles, settled
// funding, the public log of deleveragings. For most of them memory answers for the last rows
// (market-data/).

import { sql } from 'kysely';
import type { Side } from '../../engine/orderTypes.ts';
import type { BucketRange } from '../../market-data/candles.ts';
import type { Deleveraging } from '../../market-data/deleveragings.ts';
import type { CandleKind } from '../../market-data/marketData.ts';
import type { RowWindow } from '../../market-data/rowGroups.ts';
import type { SettledBoundary } from '../../market-data/settledFunding.ts';
import type { Lots, MarketId, Ticks, Time } from '../../units/units.ts';
import type { HistoryDatabase } from '../historyTables.ts';
import type { CandleRow, TradeRow } from '../rows.ts';
import { byTime, rowsInWindow, type Window } from './rowsInWindow.ts';

export type TradesAsked = Omit<Window, 'from'> & {
  readonly market: MarketId;
  /** This one and the ones after it: a trade's number, or an aggregate's. */
  readonly fromId?: number | undefined;
};

async function trades(database: HistoryDatabase, asked: TradesAsked): Promise<TradeRow[]> {
  const { first, last, forward } = await boundsOf(database, asked, asked.fromId);
  const rows = await numbered(database, asked.market, { first, last })
    .selectAll()
    .orderBy('tradeId', forward ? 'asc' : 'desc')
    .limit(asked.limit)
    .execute();
  return forward ? rows : rows.reverse();
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

async function aggregates(database: HistoryDatabase, asked: TradesAsked): Promise<AggregateRow[]> {
  const range = await aggregatesAsked(database, asked);
  return numbered(database, asked.market, range)
    .select(({ fn, ref }) => [
      'aggregateId as id',
      fn.min('tradeId').as('firstId'),
      fn.max('tradeId').as('lastId'),
      fn.min('ticks').as('ticks'),
      // In one of the databases a sum of whole numbers has another type than the numbers.
      sql<Lots>`cast(sum(${ref('lots')}) as bigint)`.as('lots'),
      fn.min('takerSide').as('takerSide'),
      fn.min('time').as('time'),
    ])
    .groupBy('aggregateId')
    .orderBy('aggregateId')
    .execute();
}

/** The trades of as many aggregates as are requested: their numbers have no gaps. */
async function aggregatesAsked(database: HistoryDatabase, asked: TradesAsked): Promise<Numbers> {
  const { market, fromId, limit } = asked;
  const from = fromId && (await lastBelow(database, market, 'aggregateId', fromId)) + 1;
  const { first, last, forward } = await boundsOf(database, asked, from);
  const end = await numbered(database, market, { first, last })
    .select('aggregateId')
    .orderBy('tradeId', forward ? 'asc' : 'desc')
    .limit(1)
    .executeTakeFirst();
  if (end === undefined) return none;
  const beyond = forward ? end.aggregateId + limit : end.aggregateId - limit + 1;
  const below = await lastBelow(database, market, 'aggregateId', beyond);
  return forward ? { first, last: Math.min(last, below) } : { first: below + 1, last };
}

/** Numbers of trades; both are included. */
type Numbers = { readonly first: number; readonly last: number };

const none: Numbers = { first: 1, last: 0 };

function numbered(database: HistoryDatabase, market: MarketId, { first, last }: Numbers) {
  return database
    .selectFrom('trades')
    .where('market', '=', market)
    .where('tradeId', '>=', first)
    .where('tradeId', '<=', last);
}

/** The window in numbers of trades, from the number `from` on if it is given. */
async function boundsOf(
  database: HistoryDatabase,
  { market, startTime, endTime }: TradesAsked,
  from: number | undefined,
): Promise<Numbers & { readonly forward: boolean }> {
  const below = (time: number): Promise<number> => lastBelow(database, market, 'time', time);
  const since = startTime === undefined ? 0 : (await below(startTime)) + 1;
  return {
    first: Math.max(from ?? 0, since),
    last: endTime === undefined ? Number.MAX_SAFE_INTEGER : await below(endTime + 1),
    forward: from !== undefined || startTime !== undefined,
  };
}

/**
 * The market's last trade with a smaller value in the column; 0: there is none. Times and
 * aggregates grow with the numbers of trades, so a binary search finds it by the key, without an
 * index of its own. Cost: fifty-three rows.
 */
async function lastBelow(
  database: HistoryDatabase,
  market: MarketId,
  column: 'time' | 'aggregateId',
  bound: number,
): Promise<number> {
  const { rows } = await sql<{ readonly number: number }>`
    with recursive steps (low, step) as (
      select cast(0 as bigint), cast(4503599627370496 as bigint)
      union all
      select low + case when (
        select ${sql.ref(column)} from trades
        where market = ${market} and trade_id >= low + step order by trade_id limit 1
      ) < ${bound} then step else 0 end, step / 2
      from steps where step > 0
    )
    select max(low) as number from steps`.execute(database);
  return rows[0]!.number;
}

export type CandlesAsked = BucketRange & { readonly market: MarketId; readonly kind: CandleKind };

/** The candles of the range, and before them the last one that opened earlier. */
async function candles(database: HistoryDatabase, asked: CandlesAsked): Promise<CandleRow[]> {
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

function fundingRates(database: HistoryDatabase, asked: RowWindow): Promise<SettledBoundary[]> {
  const query = database.selectFrom('fundingRates').selectAll();
  const chosen = asked.market === undefined ? query : query.where('market', '=', asked.market);
  return rowsInWindow(chosen, ['boundary', 'id'], asked);
}

function deleveragings(database: HistoryDatabase, asked: RowWindow): Promise<Deleveraging[]> {
  const query = database.selectFrom('deleveragings').selectAll();
  const chosen = asked.market === undefined ? query : query.where('market', '=', asked.market);
  return rowsInWindow(chosen, byTime, asked);
}

export const marketQueries = { trades, aggregates, candles, fundingRates, deleveragings } as const;
