// Funding, withdrawals, deposits and referral of an account, the forced closes of its positions,
// and the amendments of its orders. ledgerQueries.ts has its ledger.

import { sql } from 'kysely';
import type { AutoCloseType, ForceOrder } from '../../market-data/forceOrders.ts';
import type { RowWindow } from '../../market-data/rowGroups.ts';
import type { WithdrawalRow } from '../../market-data/withdrawals.ts';
import type { AccountId, OrderId } from '../../units/units.ts';
import type { HistoryDatabase } from '../historyTables.ts';
import type { CountedAmendment, DepositRow, FundingPaymentRow, ReferralDayRow } from '../rows.ts';
import { ofAccount } from './ofAccount.ts';
import { byCreation, byTime, rowsInWindow, type Window } from './rowsInWindow.ts';

type OfAccount = { readonly account: AccountId };

function fundingPayments(
  database: HistoryDatabase,
  asked: RowWindow & OfAccount,
): Promise<FundingPaymentRow[]> {
  const query = database.selectFrom('fundingPayments').selectAll().where(ofAccount(asked));
  return rowsInWindow(query, byTime, asked);
}

function forceOrders(
  database: HistoryDatabase,
  asked: RowWindow & OfAccount & { readonly autoCloseType?: AutoCloseType | undefined },
): Promise<ForceOrder[]> {
  const { account, market, autoCloseType } = asked;
  let query = database.selectFrom('forceOrders').selectAll().where('account', '=', account);
  if (market !== undefined) query = query.where('market', '=', market);
  if (autoCloseType !== undefined) query = query.where('autoCloseType', '=', autoCloseType);
  return rowsInWindow(query, byTime, asked);
}

function withdrawals(
  database: HistoryDatabase,
  asked: Window & OfAccount,
): Promise<WithdrawalRow[]> {
  const { account } = asked;
  const query = database.selectFrom('withdrawals').selectAll().where('account', '=', account);
  return rowsInWindow(query, byCreation, asked);
}

function deposits(database: HistoryDatabase, asked: Window & OfAccount): Promise<DepositRow[]> {
  const { account } = asked;
  const query = database.selectFrom('deposits').selectAll().where('account', '=', account);
  return rowsInWindow(query, byTime, asked);
}

/** How far the amendments of an order are counted; this number stands for every later one too. */
export const amendmentsCountedMax = 10_000;

/**
 * The amendments of one order, newest first. Cost: the rows, and at most `amendmentsCountedMax`
 * entries of an index before them.
 */
async function amendments(
  database: HistoryDatabase,
  asked: Window & { readonly order: OrderId },
): Promise<CountedAmendment[]> {
  const of = database.selectFrom('amendments').where('order', '=', asked.order);
  const rows = await rowsInWindow(of.selectAll(), byTime, asked);
  const [first] = rows;
  if (first === undefined) return [];
  const [time, id] = byTime.map((column) => sql.ref(column));
  const earlier = of
    .select('id')
    .where(sql<boolean>`(${time}, ${id}) < (${first.time}, ${first.id})`)
    .orderBy(time!)
    .orderBy(id!)
    .limit(amendmentsCountedMax);
  const counted = await database
    .selectFrom(earlier.as('part'))
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  const before = Number(counted.count);
  return rows
    .map((row, index) => ({ ...row, count: Math.min(before + index + 1, amendmentsCountedMax) }))
    .reverse();
}

function referralDays(
  database: HistoryDatabase,
  asked: Omit<Window, 'from'> & OfAccount,
): Promise<ReferralDayRow[]> {
  const query = database.selectFrom('referralDays').selectAll();
  return rowsInWindow(query.where('account', '=', asked.account), ['day'], asked);
}

export const accountQueries = {
  amendments,
  fundingPayments,
  forceOrders,
  withdrawals,
  deposits,
  referralDays,
} as const;
