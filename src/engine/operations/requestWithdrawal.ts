// An account requests a withdrawal to its own wallet (NAT-3, MAR-8). The money leaves the balance
// at once and is pending until it has left for good or goes back. Triggers for which the
// remaining equity is not enough end (TRG-7).

import { assert } from '../../std/assert.ts';
import type { Money } from '../../units/units.ts';
import { balanceOf } from '../account.ts';
import { post, postFund } from '../clearing/ledger.ts';
import type { RequestWithdrawal } from '../command.ts';
import { drawNumber, type Exchange, type Withdrawal } from '../exchange.ts';
import { withdrawalsMax, withdrawalsPerAccountMax } from '../limits.ts';
import { insuranceAccount } from '../marginModes.ts';
import { type Outcome, rejected } from '../outcome.ts';
import { withdrawable } from '../views/withdrawable.ts';
import { endUncarried } from './endUncarried.ts';
import { rememberRequest, repeatedRequest } from './rememberRequest.ts';

export function requestWithdrawal(exchange: Exchange, command: RequestWithdrawal): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  assert(account.id !== insuranceAccount, 'the insurance fund withdraws nothing');
  const repeated = repeatedRequest(account, command);
  if (repeated !== undefined) return repeated;
  const { amount } = command;
  if (exchange.withdrawals.size >= withdrawalsMax) {
    return rejected({ reason: 'capacityReached', limit: 'withdrawals' });
  }
  if (!Number.isSafeInteger(amount) || amount <= 0) return rejected({ reason: 'amountInvalid' });
  const { withdrawalMin: min, withdrawalFee: fee } = exchange.vault;
  if (amount < min) return rejected({ reason: 'withdrawalBelowMin', min });
  if (account.waitingWithdrawals >= withdrawalsPerAccountMax) {
    return rejected({ reason: 'withdrawalsLimit' });
  }
  const max = withdrawable(exchange, account);
  if (amount > max) return rejected({ reason: 'balanceInsufficient', max });
  // From here requestWithdrawal must succeed.
  exchange.committed = true;
  const id = drawNumber(exchange);
  const createdAt = exchange.time;
  const withdrawal: Withdrawal = {
    id,
    account: account.id,
    amount,
    createdAt,
    fee,
    state: 'requested',
  };
  post(exchange, account, 'available', -amount as Money);
  postFund(exchange, 'pendingWithdrawals', amount);
  exchange.withdrawals.set(id, withdrawal);
  account.waitingWithdrawals += 1;
  rememberRequest(account, command, { kind: 'withdrawal', order: id, time: exchange.time });
  const balance = balanceOf(account);
  exchange.events.push({
    kind: 'withdrawalRequested',
    id,
    account: account.id,
    amount,
    balance,
  });
  endUncarried(exchange, account);
  return { kind: 'accepted', withdrawal, account };
}
