// The sums of the ledger of history, to compare them with balances (BAL-3): each account's rows,
// with those of its fills, up to the position that the tables have reached.

import { sql } from 'kysely';
import { balanceOf } from '../engine/views/account.ts';
import { accountById, accountsOf, type Exchange } from '../engine/views/exchange.ts';
import { describeDatabase } from '../history/describeDatabase.ts';
import type { HistoryPlace } from '../history/history.ts';
import { openHistoryReader } from '../history/openHistoryReader.ts';
import { type HistoryWhere, sqliteFileOf } from '../history/openHistoryWriter.ts';
import { placeOf } from '../history/placeOf.ts';
import type { LogPlace } from '../log/log.ts';
import { fileDisk } from '../std/disk.ts';
import { formatTrimmed } from '../units/decimal.ts';
import { type AccountId, moneyDecimals } from '../units/units.ts';

export type HistorySums = {
  readonly place: HistoryPlace;
  /** Of the accounts that have rows. */
  readonly sums: ReadonlyMap<AccountId, number>;
};

/** A scan of a long ledger may take long. */
const statementMs = 3_600_000;

/**
 * undefined: there is no history yet. A sentence: it cannot be read. It can run beside a writer.
 * Cost: a scan of the whole ledger and of all fills.
 */
export async function readHistorySums(
  where: HistoryWhere,
): Promise<HistorySums | string | undefined> {
  const absent = where.databaseUrl === undefined && !fileDisk.exists(sqliteFileOf(where.directory));
  if (absent) return undefined;
  const reader = openHistoryReader({ ...where, statementMs, connections: 1 });
  try {
    const row = await reader.selectFrom('place').selectAll().executeTakeFirstOrThrow();
    const place = placeOf(row);
    const { ledger: last } = place.counters;
    const own = await reader
      .selectFrom('ledger')
      .select(({ fn }) => ['account', fn.sum<number>('amount').as('sum')])
      .where('id', '<=', last)
      .groupBy('account')
      .execute();
    const reported = await reader
      .selectFrom('fills')
      .select(['account', sql<number>`sum(pnl - fee)`.as('sum')])
      .where('ledgerId', '<=', last)
      .groupBy('account')
      .execute();
    const sums = new Map<AccountId, number>();
    for (const { account, sum } of [...own, ...reported]) {
      sums.set(account, (sums.get(account) ?? 0) + sum);
    }
    return { place, sums };
  } catch (error) {
    return `${describeDatabase(where)} cannot be read: ${(error as Error).message}`;
  } finally {
    await reader.destroy();
  }
}

const usdtText = (money: number): string => formatTrimmed(money, moneyDecimals);

export type HistoryFinding = {
  readonly position: number;
  readonly ok: boolean;
  readonly why?: string;
};

/** Whether the ledger of history sums up to the balances of the exchange at position `at`. */
export function checkHistory(
  { place, sums }: HistorySums,
  exchange: Exchange,
  at: LogPlace,
): HistoryFinding {
  const { position, hash } = place;
  const wrong = (why: string): HistoryFinding => ({ position, ok: false, why });
  if (at.position !== position) return wrong(`the log ends before it, at batch ${at.position}`);
  if (position > 0 && at.hash !== hash) return wrong('it belongs to another log');
  for (const account of accountsOf(exchange)) {
    const sum = sums.get(account.id) ?? 0;
    const balance = balanceOf(account);
    if (sum === balance) continue;
    return wrong(
      `the ledger of account ${account.id} sums up to ${usdtText(sum)} USDT, ` +
        `its balance is ${usdtText(balance)} USDT`,
    );
  }
  for (const id of sums.keys()) {
    if (accountById(exchange, id) === undefined) return wrong(`there is no account ${id}`);
  }
  return { position, ok: true };
}
