// A referrer takes what has accrued for it (NAT-4d): all of it becomes available money. It needs
// neither the terms to be in force nor an account that still takes part.

import { assert } from '../../std/assert.ts';
import type { Money } from '../../units/units.ts';
import { balanceOf } from '../account.ts';
import { post, postReferral } from '../clearing/ledger.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import { insuranceAccount } from '../marginModes.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { ClaimReferral } from '../referralCommand.ts';

export function claimReferral(exchange: Exchange, command: ClaimReferral): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  assert(account.id !== insuranceAccount, 'nothing accrues for the insurance fund');
  const { referral } = account;
  if (referral === null || referral.accrued === 0) {
    return rejected({ reason: 'referralNothingToClaim' });
  }
  // From here claimReferral must succeed.
  exchange.committed = true;
  const amount = referral.accrued;
  postReferral(exchange, referral, -amount as Money);
  post(exchange, account, 'available', amount);
  referral.claimed = (referral.claimed + amount) as Money;
  exchange.events.push({
    kind: 'referralClaimed',
    id: drawNumber(exchange),
    account: account.id,
    amount,
    balance: balanceOf(account),
  });
  return { kind: 'accepted', account, amount };
}
