// A deposit into the insurance fund (OPS-1), once per reference. Like all its income, it first
// repays the shortfall (LIQ-4).

import { balanceOf } from '../account.ts';
import { fundOf, payFund } from '../clearing/insurance.ts';
import { hasRoomToOwe, noteDeposit } from '../clearing/ledger.ts';
import type { CreditInsurance } from '../command.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import { creditReferencesMax } from '../limits.ts';
import { insuranceAccount } from '../marginModes.ts';
import { type Outcome, rejected } from '../outcome.ts';
import { vaultBound } from '../vaultLedger.ts';

export function creditInsurance(exchange: Exchange, command: CreditInsurance): Outcome {
  const { amount, reference } = command;
  const { binding } = exchange.vault;
  if (binding !== null) return rejected(vaultBound(binding));
  const fund = fundOf(exchange);
  const earlier = exchange.credits.get(reference);
  if (earlier !== undefined) {
    if (earlier.amount !== amount || earlier.account !== insuranceAccount) {
      return rejected({ reason: 'referenceConflict' });
    }
    return { kind: 'accepted', account: fund };
  }
  if (!Number.isSafeInteger(amount) || amount <= 0) return rejected({ reason: 'amountInvalid' });
  if (!hasRoomToOwe(exchange, amount))
    return rejected({ reason: 'capacityReached', limit: 'owed' });
  if (exchange.credits.size >= creditReferencesMax) {
    return rejected({ reason: 'capacityReached', limit: 'creditReferences' });
  }
  // From here creditInsurance must succeed.
  exchange.committed = true;
  payFund(exchange, amount);
  noteDeposit(exchange, amount);
  exchange.credits.set(reference, { account: insuranceAccount, amount });
  exchange.events.push({
    kind: 'insuranceCredited',
    id: drawNumber(exchange),
    amount,
    balance: balanceOf(fund),
    reference,
  });
  return { kind: 'accepted', account: fund };
}
