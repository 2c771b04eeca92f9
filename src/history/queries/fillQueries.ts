// Fills of an account by their time; of one market, or of one order. Numbers of trades grow with
// time within a market, so a number is as good a beginning as a time.

import { must } from '../../std/assert.ts';
import type { AccountId, MarketId, OrderId, Time } from '../../units/units.ts';
import type { HistoryDatabase } from '../historyTables.ts';
import type { FillRow } from '../rows.ts';
import { rowsInWindow, type Window } from './rowsInWindow.ts';

export type FillsAsked = Omit<Window, 'from'> & {
  readonly account: AccountId;
  readonly market?: MarketId | undefined;
  /** Those of one order. */
  readonly order?: { readonly id: OrderId; readonly createdAt: Time } | undefined;
  /** Of one market: this trade and those after it. */
  readonly fromId?: number | undefined;
};

/**
 * Ascending. One row more than `limit` comes where the limit would part the two sides of a trade
 * with oneself (ORD-4, NONE): whoever goes on at the next number must have seen both.
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

/** No trade of this number or a later one is older: when that in the book up to it was made. */
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

/** When the order changed last; what is no order (a takeover, a deleveraging) is of one time. */
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
