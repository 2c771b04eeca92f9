// The end of a pending withdrawal (NAT-3): it has left through the chain for ever, or it goes back
// to its account. The chain side or the operator decides; the engine does not distinguish them.

import type { Money } from '../../units/units.ts';
import { balanceOf } from '../account.ts';
import { noteWithdrawal, post, postFund } from '../clearing/ledger.ts';
import type { ResolveWithdrawal } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import { type Outcome, rejected } from '../outcome.ts';

export function resolveWithdrawal(exchange: Exchange, command: ResolveWithdrawal): Outcome {
  const withdrawal = exchange.withdrawals.get(command.id);
  if (withdrawal === undefined) return rejected({ reason: 'withdrawalUnknown' });
  const { id, amount } = withdrawal;
  const account = exchange.accounts[withdrawal.account]!;
  const completed = command.action === 'complete';
  // From here resolveWithdrawal must succeed.
  exchange.committed = true;
  exchange.withdrawals.delete(id);
  account.waitingWithdrawals -= 1;
  postFund(exchange, 'pendingWithdrawals', -amount as Money);
  if (completed) noteWithdrawal(exchange, amount);
  else post(exchange, account, 'available', amount);
  exchange.events.push({
    kind: 'withdrawalResolved',
    id,
    account: account.id,
    amount,
    balance: balanceOf(account),
    completed,
  });
  return { kind: 'accepted', withdrawal, account };
}
