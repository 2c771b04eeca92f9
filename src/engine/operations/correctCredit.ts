// The operator takes back a mistaken credit (OPS-1b): the credit of a reference becomes smaller,
// and the difference leaves the account. Only what the account could withdraw is taken, so that no
// balance falls below zero and no position loses its margin. Triggers for which the remaining
// equity is not enough end (TRG-7).

import type { Money } from '../../units/units.ts';
import { balanceOf } from '../account.ts';
import { noteDeposit, post } from '../clearing/ledger.ts';
import type { CorrectCredit } from '../command.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import { creditReferencesMax } from '../limits.ts';
import { insuranceAccount } from '../marginModes.ts';
import { type Outcome, rejected } from '../outcome.ts';
import { vaultBound } from '../vaultLedger.ts';
import { withdrawable } from '../views/withdrawable.ts';
import { endUncarried } from './endUncarried.ts';

export function correctCredit(exchange: Exchange, command: CorrectCredit): Outcome {
  const { address, credit, amount, reference } = command;
  const { binding } = exchange.vault;
  if (binding !== null) return rejected(vaultBound(binding));
  const wrong = exchange.credits.get(credit);
  // A correction is a credit below zero; it cannot be corrected itself.
  if (wrong === undefined || wrong.amount < 0 || wrong.account === insuranceAccount) {
    return rejected({ reason: 'creditUnknown' });
  }
  const account = exchange.accounts[wrong.account]!;
  if (exchange.accountByAddress.get(address) !== account.id) {
    return rejected({ reason: 'creditUnknown' });
  }
  const earlier = exchange.credits.get(reference);
  if (earlier !== undefined) {
    const same = earlier.account === account.id && earlier.amount < 0 && wrong.amount === amount;
    return same ? { kind: 'accepted', account } : rejected({ reason: 'referenceConflict' });
  }
  if (!Number.isSafeInteger(amount) || amount < 0 || amount >= wrong.amount) {
    return rejected({ reason: 'amountInvalid' });
  }
  if (exchange.credits.size >= creditReferencesMax) {
    return rejected({ reason: 'capacityReached', limit: 'creditReferences' });
  }
  const taken = (wrong.amount - amount) as Money;
  const max = withdrawable(exchange, account);
  if (taken > max) return rejected({ reason: 'balanceInsufficient', max });
  // From here correctCredit must succeed.
  exchange.committed = true;
  const change = -taken as Money;
  post(exchange, account, 'available', change);
  noteDeposit(exchange, change);
  exchange.credits.set(credit, { account: account.id, amount });
  exchange.credits.set(reference, { account: account.id, amount: change });
  exchange.events.push({
    kind: 'credited',
    account: account.id,
    amount: change,
    balance: balanceOf(account),
    reference,
    id: drawNumber(exchange),
  });
  endUncarried(exchange, account);
  return { kind: 'accepted', account };
}
