// Money of the vault reaches an account or the insurance fund, as far as there is room for it: at
// its deposit, or once a minute when it was parked (VLT-3).

import type { Money, Time } from '../../units/units.ts';
import { balanceOf } from '../account.ts';
import { fundOf, payFund } from '../clearing/insurance.ts';
import { noteDeposit, post, roomToOwe } from '../clearing/ledger.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import { moneyMax, parkedTriesPerMinute } from '../limits.ts';
import { hasRoomForAccount, noteFunded, openAccount } from './openAccount.ts';
import { hasMinuteEnded } from './shareFees.ts';

type Arrival = {
  readonly address: string;
  readonly amount: Money;
  /** Of its deposit; 0 for parked money, which may come from several. */
  readonly index: number;
};

/** Credits up to `amount`. Gives what was credited: 0 when there is no room. */
export function creditFromVault(exchange: Exchange, arrival: Arrival): Money {
  const amount = Math.min(arrival.amount, roomToOwe(exchange)) as Money;
  if (amount === 0) return amount;
  const { address, index } = arrival;
  const reference = index === 0 ? 'vault:parked' : `vault:${index}`;
  if (address === exchange.vault.binding?.address) {
    payFund(exchange, amount);
    const balance = balanceOf(fundOf(exchange));
    const id = drawNumber(exchange);
    exchange.events.push({ kind: 'insuranceCredited', id, amount, balance, reference });
  } else {
    if (!hasRoomForAccount(exchange, address)) return 0 as Money;
    const account = openAccount(exchange, address);
    noteFunded(exchange, account);
    post(exchange, account, 'available', amount);
    const balance = balanceOf(account);
    const id = drawNumber(exchange);
    exchange.events.push({ kind: 'credited', account: account.id, amount, balance, reference, id });
  }
  noteDeposit(exchange, amount);
  return amount;
}

/**
 * Tries parked money again when a minute has ended: that of the first wallets in line, of which
 * those that keep a rest go to its end. Gives whether it has tried.
 */
export function creditParked(exchange: Exchange, before: Time): boolean {
  const { parked } = exchange.vault;
  if (parked.size === 0 || !hasMinuteEnded(exchange, before)) return false;
  for (const [address, waiting] of firstOf(parked, parkedTriesPerMinute)) {
    if (roomToOwe(exchange) === 0) break;
    const amount = Math.min(Number(waiting), moneyMax) as Money;
    const credited = creditFromVault(exchange, { address, amount, index: 0 });
    parked.delete(address);
    if (credited < waiting) parked.set(address, waiting - BigInt(credited));
  }
  return true;
}

/** Copies no more than it gives: there may be two million. */
function firstOf<Key, Value>(map: ReadonlyMap<Key, Value>, count: number): [Key, Value][] {
  const first: [Key, Value][] = [];
  for (const entry of map) {
    if (first.length >= count) break;
    first.push(entry);
  }
  return first;
}
