// Withdrawals by account: those that wait for the chain, and the last ended ones (NAT-3). Part of
// the archivist's snapshot.

import type { WithdrawalRequested, WithdrawalResolved } from '../engine/event.ts';
import { viewRowsMax } from '../engine/limits.ts';
import { must } from '../std/assert.ts';
import type { AccountId, Money, OrderId, Time } from '../units/units.ts';
import { createRowGroups, type RowGroups, type RowWindow, rowsOf } from './rowGroups.ts';
import { createRowRing, indexOf, type RowRing, rememberRow } from './rowRing.ts';

export const withdrawalStatuses = ['pending', 'completed', 'released'] as const;
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];

export type WithdrawalRow = {
  readonly id: OrderId;
  readonly account: AccountId;
  readonly amount: Money;
  readonly createdAt: Time;
  readonly status: WithdrawalStatus;
  /** 0 while it is pending. */
  readonly resolvedAt: Time;
};

/** The ring holds the ended ones, the index holds both kinds. */
export type Withdrawals = RowRing<WithdrawalRow, RowGroups<WithdrawalRow>> & {
  /** The engine bounds their number. */
  readonly pending: Map<OrderId, WithdrawalRow>;
};

export function createWithdrawals(max: number = viewRowsMax): Withdrawals {
  const pending = new Map<OrderId, WithdrawalRow>();
  const createIndex = (): RowGroups<WithdrawalRow> => {
    const groups = createRowGroups<WithdrawalRow>(({ createdAt }) => createdAt);
    for (const row of pending.values()) groups.add(row);
    return groups;
  };
  return { ...createRowRing(max, createIndex), pending };
}

export function rememberRequested(
  withdrawals: Withdrawals,
  { id, account, amount }: WithdrawalRequested,
  createdAt: Time,
): void {
  addPending(withdrawals, {
    id,
    account,
    amount,
    createdAt,
    status: 'pending',
    resolvedAt: 0 as Time,
  });
}

export function addPending({ pending, index }: Withdrawals, row: WithdrawalRow): void {
  pending.set(row.id, row);
  index?.add(row);
}

export function rememberResolved(
  withdrawals: Withdrawals,
  { id, completed }: WithdrawalResolved,
  resolvedAt: Time,
): void {
  const { pending, index } = withdrawals;
  const row = must(pending.get(id), 'a withdrawal that is resolved was pending');
  pending.delete(id);
  index?.remove(row);
  rememberRow(withdrawals, { ...row, status: completed ? 'completed' : 'released', resolvedAt });
}

/** An ended withdrawal that the ring remembers; the newest is found first. */
export function endedWithdrawal(
  { ring, oldest }: Pick<Withdrawals, 'ring' | 'oldest'>,
  id: OrderId,
): WithdrawalRow | undefined {
  for (let back = 1; back <= ring.length; back += 1) {
    const row = ring[(oldest - back + ring.length) % ring.length]!;
    if (row.id === id) return row;
  }
  return undefined;
}

/** The account's withdrawals, by the time of their request. */
export function withdrawalsOf(
  withdrawals: Withdrawals,
  account: AccountId,
  window: RowWindow,
): readonly WithdrawalRow[] {
  return rowsOf(indexOf(withdrawals), account, window);
}
