// A withdrawal as the native and the operator's surface show it (NAT-3). A pending one comes from
// the state, an ended one from its row.

import type { Static } from 'typebox';
import type { Account } from '../engine/views/account.ts';
import type { Withdrawal } from '../engine/views/exchange.ts';
import type { WithdrawalRow } from '../market-data/withdrawals.ts';
import { must } from '../std/assert.ts';
import type { OrderId, Time } from '../units/units.ts';
import { formatUuid } from '../units/uuid.ts';
import {
  decimalText,
  exactObject,
  idText,
  namedAnswerSchema,
  timeNumber,
  walletText,
} from './answerSchema.ts';
import type { Deployment } from './deployment.ts';
import { enumerations } from './enumerations.ts';
import { moneyText } from './grid.ts';
import { type HistoryFailure, hasFailed } from './historyPort.ts';

export const withdrawalSchema = namedAnswerSchema(
  'Withdrawal',
  exactObject({
    id: idText(),
    amount: decimalText('USDT.'),
    status: enumerations.withdrawalStatus,
    address: walletText("The account's own wallet."),
    time: timeNumber(),
    update_time: timeNumber('When it ended; while it is pending, `time`.'),
  }),
);

export type WithdrawalRecord = Static<typeof withdrawalSchema>;

export function withdrawalRecord(row: WithdrawalRow, address: string): WithdrawalRecord {
  return {
    id: formatUuid(row.createdAt, row.id),
    amount: moneyText(row.amount),
    status: row.status,
    address,
    time: row.createdAt,
    update_time: row.status === 'pending' ? row.createdAt : row.resolvedAt,
  };
}

/** The row of a withdrawal that waits for the chain. */
export function pendingRow({ id, account, amount, createdAt }: Withdrawal): WithdrawalRow {
  return { id, account, amount, createdAt, status: 'pending', resolvedAt: 0 as Time };
}

/** An ended withdrawal of this account. */
export async function findEndedWithdrawal(
  { withdrawalsOf }: Deployment,
  account: Account,
  { id, createdAt }: { readonly id: OrderId; readonly createdAt: Time },
): Promise<WithdrawalRow | HistoryFailure> {
  const rows = await withdrawalsOf(account.id, { from: { id, createdAt }, limit: 1 });
  return hasFailed(rows)
    ? rows
    : must(rows[0], 'a withdrawal that was requested is known for ever');
}
