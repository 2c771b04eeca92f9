// The ledger of an account, and the part of it that FAPI calls income. A trade, a takeover or a
// deleveraging changes a balance, but its fill has these values, and there is no stored row for
// them. Here the fill becomes its rows, placed among the others by number.

import { type SelectQueryBuilder, sql } from 'kysely';
import type { RowWindow } from '../../market-data/rowGroups.ts';
import type { AccountId } from '../../units/units.ts';
import type { HistoryDatabase, HistoryTables } from '../historyTables.ts';
import type { LedgerKind, ReportedLedgerRow } from '../rows.ts';
import { ofAccount, type Scope } from './ofAccount.ts';
import { byTime, inWindow, isForward } from './rowsInWindow.ts';
import { unionOf } from './rowsOfParts.ts';

export type LedgerAsked = RowWindow & { readonly account: AccountId };

type Part = SelectQueryBuilder<HistoryTables, never, ReportedLedgerRow>;

function ledger(database: HistoryDatabase, asked: LedgerAsked): Promise<ReportedLedgerRow[]> {
  return ledgerRows(database, asked);
}

/** Rows of these kinds, without the pages before `page`: from `startTime` on, else from the end. */
function income(
  database: HistoryDatabase,
  asked: Omit<LedgerAsked, 'from'> & {
    readonly kinds: readonly LedgerKind[];
    /** From 1. */
    readonly page: number;
  },
): Promise<ReportedLedgerRow[]> {
  return ledgerRows(database, asked, asked);
}

type Choice = { readonly kinds: readonly LedgerKind[]; readonly page: number };

/** Cost: from each part, as many rows as there are up to the last row given, sorted together. */
async function ledgerRows(
  database: HistoryDatabase,
  asked: LedgerAsked,
  { kinds, page }: Partial<Choice> = {},
): Promise<ReportedLedgerRow[]> {
  const { from, limit } = asked;
  const offset = ((page ?? 1) - 1) * limit;
  // A page may begin between the two rows of one fill: then that fill is read too.
  const window = { ...asked, limit: offset + limit + 1 };
  const fillWindow = { ...window, from: from && { ...from, id: from.id - 1 } };
  const has = (kind: LedgerKind): boolean => kinds?.includes(kind) ?? true;
  const parts = [inWindow(ownRows(database, asked, kinds), byTime, window)];
  for (const kind of fillLedgerKinds) {
    if (!has(kind)) continue;
    parts.push(inWindow(fillRows[kind](database, asked), ['time', 'ledgerId'], fillWindow));
  }
  const direction = isForward(asked) ? 'asc' : 'desc';
  let rows = database
    .selectFrom(unionOf(database, parts).as('told'))
    .selectAll()
    .orderBy('time', direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset);
  if (from !== undefined) {
    const [time, id] = [sql.ref('time'), sql.ref('id')];
    rows = rows.where(sql<boolean>`(${time}, ${id}) >= (${from.createdAt}, ${from.id})`);
  }
  const found = await rows.execute();
  return direction === 'asc' ? found : found.reverse();
}

function ownRows(
  database: HistoryDatabase,
  scope: Scope,
  kinds: readonly LedgerKind[] | undefined,
): Part {
  let query = database
    .selectFrom('ledger')
    .select(['id', 'account', 'kind', 'market', 'amount', 'balance'])
    .select(['event', sql<number>`cast(0 as bigint)`.as('tradeId'), 'reference', 'time'])
    .select(sql<number>`cast(0 as bigint)`.as('second'))
    .where(ofAccount(scope));
  if (kinds !== undefined) query = query.where('kind', 'in', kinds);
  return query as unknown as Part;
}

/** The kinds of rows that come from fills, in their order within one fill. */
const fillLedgerKinds = ['realized_pnl', 'fee'] as const;

const fillRows: Record<
  (typeof fillLedgerKinds)[number],
  (database: HistoryDatabase, of: Scope) => Part
> = {
  realized_pnl: (database, of) =>
    fillsOf(database, of)
      .select(['ledgerId as id', 'account'])
      .select(sql<LedgerKind>`cast('realized_pnl' as text)`.as('kind'))
      .select(['market', 'pnl as amount', sql<number>`balance + fee`.as('balance')])
      .select(['event', 'tradeId', sql<string>`cast('' as text)`.as('reference'), 'time'])
      .select(isSecond.as('second'))
      .where('pnl', '<>', 0 as never) as unknown as Part,
  fee: (database, of) =>
    fillsOf(database, of)
      .select(sql<number>`ledger_id + case when pnl <> 0 then 1 else 0 end`.as('id'))
      .select(['account', sql<LedgerKind>`cast('fee' as text)`.as('kind'), 'market'])
      .select([sql<number>`-fee`.as('amount'), 'balance', 'event', 'tradeId'])
      .select([sql<string>`cast('' as text)`.as('reference'), 'time', isSecond.as('second')])
      .where('fee', '<>', 0 as never) as unknown as Part,
};

function fillsOf(database: HistoryDatabase, scope: Scope) {
  return database.selectFrom('fills').where(ofAccount(scope));
}

/** A step numbers the taker's rows, at most two, before those of the maker. Cost: one look-up. */
const isSecond = sql<number>`case when maker and exists (
  select 1 from fills as taker
  where taker.account = fills.account and taker.time = fills.time
    and taker.ledger_id between fills.ledger_id - 2 and fills.ledger_id
    and taker.market = fills.market and taker.trade_id = fills.trade_id and not taker.maker
) then 1 else 0 end`;

export const ledgerQueries = { ledger, income } as const;
