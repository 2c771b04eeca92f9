// A deposit for an account (OPS-1), once per reference. Creates the account.

import { assert } from '../../std/assert.ts';
import { balanceOf } from '../account.ts';
import { hasRoomToOwe, noteDeposit, post } from '../clearing/ledger.ts';
import type { Credit } from '../command.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import { creditReferencesMax } from '../limits.ts';
import { insuranceAddress } from '../marginModes.ts';
import { type Outcome, rejected } from '../outcome.ts';
import { vaultBound } from '../vaultLedger.ts';
import { hasRoomForAccount, noteFunded, openAccount } from './openAccount.ts';

export function credit(exchange: Exchange, command: Credit): Outcome {
  const { address, amount, reference } = command;
  const { binding } = exchange.vault;
  if (binding !== null) return rejected(vaultBound(binding));
  assert(address !== insuranceAddress, 'the insurance fund is credited by its own command');
  const present = exchange.accountByAddress.get(address);
  const earlier = exchange.credits.get(reference);
  if (earlier !== undefined) {
    if (earlier.amount !== amount || earlier.account !== present) {
      return rejected({ reason: 'referenceConflict' });
    }
    return { kind: 'accepted', account: exchange.accounts[earlier.account]! };
  }
  if (amount <= 0) return rejected({ reason: 'amountInvalid' });
  if (!hasRoomToOwe(exchange, amount))
    return rejected({ reason: 'capacityReached', limit: 'owed' });
  if (exchange.credits.size >= creditReferencesMax) {
    return rejected({ reason: 'capacityReached', limit: 'creditReferences' });
  }
  if (!hasRoomForAccount(exchange, address)) {
    return rejected({ reason: 'capacityReached', limit: 'accounts' });
  }
  // From here credit must succeed.
  exchange.committed = true;
  const account = openAccount(exchange, address);
  noteFunded(exchange, account);
  post(exchange, account, 'available', amount);
  noteDeposit(exchange, amount);
  exchange.credits.set(reference, { account: account.id, amount });
  exchange.events.push({
    kind: 'credited',
    account: account.id,
    amount,
    balance: balanceOf(account),
    reference,
    id: drawNumber(exchange),
  });
  return { kind: 'accepted', account };
}
