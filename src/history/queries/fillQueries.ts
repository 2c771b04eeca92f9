// Fills of an account by time; of one market, or of one order. Within a market the numbers of
// trades grow with time, so a window may begin at a number as well as at a time.

import { sql } from 'kysely';
import { must } from '../../std/assert.ts';
import type { AccountId, MarketId, OrderId, Time } from '../../units/units.ts';
import type { HistoryDatabase } from '../historyTables.ts';
import type { FillRow } from '../rows.ts';
import { ofAccount } from './ofAccount.ts';
import { rowsInWindow, type Window } from './rowsInWindow.ts';

export type FillsAsked = Omit<Window, 'from'> & {
  readonly account: AccountId;
  readonly market?: MarketId | undefined;
  /** The fills of one order. */
  readonly order?: { readonly id: OrderId } | undefined;
  /** Of one market: this trade and the ones after it. */
  readonly fromId?: number | undefined;
};

/**
 * Ascending. It gives one row more than `limit` where the limit would separate the two sides of a
 * trade with oneself (ORD-4, NONE): a client that continues at the next number must have seen both.
 */
async function fills(database: HistoryDatabase, asked: FillsAsked): Promise<FillRow[]> {
  const { order, fromId, startTime, endTime, limit } = asked;
  const first = fromId === undefined ? undefined : await timeBefore(database, asked, fromId);
  let query =
    order === undefined
      ? database.selectFrom('fills').selectAll().where(ofAccount(asked))
      : ofOrder(database, asked);
  if (fromId !== undefined) query = query.where('tradeId', '>=', fromId);
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

/**
 * Of the order alone, then those of the account: a takeover or a deleveraging has fills of two. `+
 * 0` keeps SQLite from walking all fills of the account.
 */
function ofOrder(database: HistoryDatabase, { account, market, order }: FillsAsked) {
  const { id } = must(order, 'an order is asked for');
  const [owner, on] = [sql.ref('account'), sql.ref('market')];
  const query = database
    .selectFrom('fills')
    .selectAll()
    .where('order', '=', id)
    .where(sql<boolean>`${owner} + 0 = ${account}`);
  return market === undefined ? query : query.where(sql<boolean>`${on} + 0 = ${market}`);
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

export const fillQueries = { fills } as const;
