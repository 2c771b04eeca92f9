// A deposit that the vault has taken (VLT-2): exactly once, because only the next index counts.
// What finds no room is parked for its wallet, so that nothing ever waits behind it (VLT-3).

import type { Money } from '../../units/units.ts';
import { depositHash } from '../depositHash.ts';
import type { Exchange } from '../exchange.ts';
import { parkedWalletsMax } from '../limits.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { CreditDeposit } from '../vaultCommand.ts';
import { creditFromVault } from './creditFromVault.ts';

export function creditDeposit(exchange: Exchange, command: CreditDeposit): Outcome {
  const { index, address, units, hash } = command;
  const { vault } = exchange;
  if (vault.binding === null) return rejected({ reason: 'vaultMissing' });
  if (!Number.isSafeInteger(units) || units <= 0) return rejected({ reason: 'amountInvalid' });
  if (index <= vault.depositCount) return rejected({ reason: 'factKnown' });
  if (index !== vault.depositCount + 1) {
    return contradicts(`deposit ${index} comes after deposit ${vault.depositCount}`);
  }
  if (hash !== depositHash(vault.depositsHash, command)) {
    return contradicts(`deposit ${index} has another hash`);
  }
  // From here creditDeposit must succeed.
  exchange.committed = true;
  vault.depositCount = index;
  vault.depositsHash = hash;
  vault.depositTotal += BigInt(units);
  const credited = creditFromVault(exchange, { address, amount: units, index });
  park(exchange, { address, amount: (units - credited) as Money, index });
  return { kind: 'accepted' };
}

const contradicts = (detail: string): Outcome => rejected({ reason: 'factContradicts', detail });

type Rest = { readonly address: string; readonly amount: Money; readonly index: number };

/** Beyond the bound, whose money it is follows from the log alone. */
function park(exchange: Exchange, { address, amount, index }: Rest): void {
  if (amount === 0) return;
  const { vault } = exchange;
  const waiting = vault.parked.get(address);
  if (waiting === undefined && vault.parked.size >= parkedWalletsMax) {
    vault.unnamed += BigInt(amount);
  } else vault.parked.set(address, (waiting ?? 0n) + BigInt(amount));
  exchange.events.push({ kind: 'depositParked', address, index, amount });
}
