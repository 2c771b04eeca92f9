// A fact of the chain about a withdrawal (VLT-4). It is completed only when the vault has paid it,
// and released only when the vault can never pay it any more. No clock of the exchange counts.

import type { Exchange } from '../exchange.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { ReportWithdrawal } from '../vaultCommand.ts';
import { payableUntil } from '../vaultLedger.ts';
import { endWithdrawal } from './resolveWithdrawal.ts';

export function reportWithdrawal(exchange: Exchange, command: ReportWithdrawal): Outcome {
  const { id, createdAt, fact, blockTime } = command;
  if (exchange.vault.binding === null) return rejected({ reason: 'vaultMissing' });
  const withdrawal = exchange.withdrawals.get(id);
  if (withdrawal === undefined || withdrawal.createdAt !== createdAt) {
    return rejected({ reason: 'withdrawalUnknown' });
  }
  const { state } = withdrawal;
  const isAdvance = fact === 'sent' || fact === 'queued';
  // What is queued was sent.
  if (isAdvance && (state === fact || state === 'queued')) return rejected({ reason: 'factKnown' });
  if (fact === 'none' && (state === 'queued' || blockTime <= payableUntil(createdAt))) {
    return rejected({ reason: 'factContradicts', detail: 'the vault may still pay it' });
  }
  // From here reportWithdrawal must succeed.
  exchange.committed = true;
  const account = exchange.accounts[withdrawal.account]!;
  if (isAdvance) {
    withdrawal.state = fact;
    const advanced = { id, account: account.id, state: fact } as const;
    exchange.events.push({ kind: 'withdrawalAdvanced', ...advanced });
  } else endWithdrawal(exchange, withdrawal, fact === 'paid');
  return { kind: 'accepted', withdrawal, account };
}
