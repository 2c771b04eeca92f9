// The end of a pending withdrawal (NAT-3): it has left for ever, or it goes back to its account.
// Without a vault the operator decides; with one, facts of the chain do (reportWithdrawal.ts).

import type { AccountId, Money } from '../../units/units.ts';
import { balanceOf } from '../account.ts';
import { noteWithdrawal, post, postFund } from '../clearing/ledger.ts';
import type { ResolveWithdrawal } from '../command.ts';
import type { Exchange, Withdrawal } from '../exchange.ts';
import { type Outcome, rejected } from '../outcome.ts';
import { vaultBound } from '../vaultLedger.ts';

export function resolveWithdrawal(exchange: Exchange, command: ResolveWithdrawal): Outcome {
  const { binding } = exchange.vault;
  if (binding !== null) return rejected(vaultBound(binding));
  const withdrawal = exchange.withdrawals.get(command.id);
  if (withdrawal === undefined) return rejected({ reason: 'withdrawalUnknown' });
  // From here resolveWithdrawal must succeed.
  exchange.committed = true;
  endWithdrawal(exchange, withdrawal, command.action === 'complete');
  return { kind: 'accepted', withdrawal, account: exchange.accounts[withdrawal.account]! };
}

/**
 * Ends a withdrawal: the wallet has its amount less its fee, which the exchange keeps (VLT-5), or
 * the account has the amount again.
 */
export function endWithdrawal(
  exchange: Exchange,
  withdrawal: Withdrawal,
  completed: boolean,
): void {
  const { id, amount, fee } = withdrawal;
  const account = exchange.accounts[withdrawal.account]!;
  exchange.withdrawals.delete(id);
  account.waitingWithdrawals -= 1;
  postFund(exchange, 'pendingWithdrawals', -amount as Money);
  if (completed) {
    noteWithdrawal(exchange, (amount - fee) as Money);
    notePaid(exchange, account.id, amount - fee);
    if (fee > 0) postFund(exchange, 'feeRevenue', fee);
  } else post(exchange, account, 'available', amount);
  exchange.events.push({
    kind: 'withdrawalResolved',
    id,
    account: account.id,
    amount,
    balance: balanceOf(account),
    completed,
  });
}

/** The vault counts what it pays to each wallet, and so does the log (VLT-8). */
function notePaid({ vault }: Exchange, account: AccountId, amount: number): void {
  if (vault.binding === null) return;
  vault.paid.set(account, (vault.paid.get(account) ?? 0n) + BigInt(amount));
}
