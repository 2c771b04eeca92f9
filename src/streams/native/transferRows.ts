// The events `deposit` and `withdrawal` of the channel `account` (WS-2), in a deployment with a
// vault: money that was credited, and each step of a withdrawal (VLT-4).

import type { Event } from '../../engine/event.ts';
import type { Account } from '../../engine/views/account.ts';
import { vaultOf } from '../../engine/views/vault.ts';
import { endedWithdrawal } from '../../market-data/withdrawals.ts';
import { must } from '../../std/assert.ts';
import type { StreamContext } from '../streamContext.ts';
import type { AccountRow } from './accountRows.ts';

/** The records of the lists, as they are after the step. */
export function transferRows(
  { exchange, records, views }: StreamContext,
  { address }: Account,
  event: Event,
): readonly AccountRow[] {
  if (vaultOf(exchange) === undefined) return [];
  switch (event.kind) {
    case 'credited': {
      const { id, amount, reference } = event;
      return [['deposit', records.deposit({ id, amount, reference, time: exchange.time })]];
    }
    case 'withdrawalRequested':
    case 'withdrawalAdvanced':
    case 'withdrawalResolved': {
      const row =
        views.withdrawals.pending.get(event.id) ?? endedWithdrawal(views.withdrawals, event.id);
      return [['withdrawal', records.withdrawal(must(row, 'the step knows it'), address)]];
    }
    default:
      return [];
  }
}
