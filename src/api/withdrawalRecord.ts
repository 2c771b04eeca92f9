// A withdrawal as the native and the operator's surface show it (NAT-3), from the state while it is
// pending and from the view of those that have ended.

import { type Static, Type } from 'typebox';
import type { Account } from '../engine/account.ts';
import type { Withdrawal } from '../engine/exchange.ts';
import type { OrderId, Time } from '../units/units.ts';
import { formatUuid } from '../units/uuid.ts';
import type { Deployment, WithdrawalRow } from './deployment.ts';
import { moneyText } from './grid.ts';

export const withdrawalSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  amount: Type.String({ description: 'USDT.' }),
  status: Type.Enum(['pending', 'completed', 'released']),
  address: Type.String({ description: "The account's own wallet." }),
  time: Type.Integer(),
  update_time: Type.Integer({ description: 'When it ended; while it is pending, `time`.' }),
});

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

/** The row of one that waits for the chain. */
export function pendingRow(withdrawal: Withdrawal): WithdrawalRow {
  return { ...withdrawal, status: 'pending', resolvedAt: 0 as Time };
}

/** A withdrawal of this account as it stands; undefined when the view has forgotten its end. */
export function findWithdrawal(
  { exchange, withdrawalsOf }: Deployment,
  account: Account,
  { id, createdAt }: { readonly id: OrderId; readonly createdAt: Time },
): WithdrawalRow | undefined {
  const pending = exchange.withdrawals.get(id);
  if (pending !== undefined) return pendingRow(pending);
  const [row] = withdrawalsOf(account.id, { from: { id, createdAt }, limit: 1 });
  return row?.id === id ? row : undefined;
}
