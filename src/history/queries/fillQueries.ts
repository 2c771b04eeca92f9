// Fills of an account by time; of one market, or of one order. Within a market the numbers of
// trades grow with time, so a window may begin at a number as well as at a time.

import { must } from '../../std/assert.ts';
import type { AccountId, MarketId, OrderId, Time } from '../../units/units.ts';
import type { HistoryDatabase } from '../historyTables.ts';
import type { FillRow } from '../rows.ts';
import { rowsInWindow, type Window } from './rowsInWindow.ts';

export type FillsAsked = Omit<Window, 'from'> & {
  readonly account: AccountId;
  readonly market?: MarketId | undefined;
  /** The fills of one order. */
  readonly order?: { readonly id: OrderId; readonly createdAt: Time } | undefined;
  /** Of one market: this trade and the ones after it. */
  readonly fromId?: number | undefined;
};

/**
 * Ascending. It gives one row more than `limit` where the limit would separate the two sides of a
 * trade with oneself (ORD-4, NONE): a client that continues at the next number must have seen both.
 */
async function fills(database: HistoryDatabase, asked: FillsAsked): Promise<FillRow[]> {
  const { account, market, order, fromId, startTime, endTime, limit } = asked;
  const first = fromId === undefined ? undefined : await timeBefore(database, asked, fromId);
  let query = database.selectFrom('fills').selectAll().where('account', '=', account);
  if (market !== undefined) query = query.where('market', '=', market);
  if (fromId !== undefined) query = query.where('tradeId', '>=', fromId);
  if (order !== undefined) {
    query = query
      .where('order', '=', order.id)
      .where('time', '>=', order.createdAt)
      .where('time', '<=', await lastTimeOf(database, order));
  }
  const start = first === undefined ? startTime : Math.max(first, startTime ?? 0);
  const rows = await rowsInWindow(query, ['time', 'ledgerId', 'market', 'tradeId', 'maker'], {
    startTime: start,
    endTime,
    limit: limit + 1,
  });
  if (rows.length <= limit) return rows;
  const [beyond, last] = start === undefined ? [0, 1] : [limit, limit - 1];
  if (!sameTrade(rows[beyond]!, rows[last]!)) rows.splice(beyond, 1);
  return rows;
}

function sameTrade(a: FillRow, b: FillRow): boolean {
  return a.market === b.market && a.tradeId === b.tradeId;
}

/**
 * A lower bound for the time of this trade and later ones: the time of the last trade in the book
 * up to it.
 */
async function timeBefore(
  database: HistoryDatabase,
  { market }: FillsAsked,
  fromId: number,
): Promise<Time> {
  const row = await database
    .selectFrom('trades')
    .select('time')
    .where('market', '=', must(market, 'a number is one of a market'))
    .where('tradeId', '<=', fromId)
    .orderBy('tradeId', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.time ?? (0 as Time);
}

/** When the order changed last; a takeover or a deleveraging, which is no order, has one time. */
async function lastTimeOf(
  database: HistoryDatabase,
  { id, createdAt }: { readonly id: OrderId; readonly createdAt: Time },
): Promise<Time> {
  const row = await database
    .selectFrom('orders')
    .select('updatedAt')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.updatedAt ?? createdAt;
}

export const fillQueries = { fills } as const;
