// The operator's settings of an account: whether it is an internal account (left out of open
// interest, FUND-1), and its lowest fee tier (MAR-6).

import { assert } from '../../std/assert.ts';
import type { Lots } from '../../units/units.ts';
import { countOpenInterest } from '../clearing/openInterest.ts';
import type { FlagAccount } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import { placeGuest } from '../guests.ts';
import { insuranceAccount } from '../marginModes.ts';
import { type Outcome, rejected } from '../outcome.ts';

export function flagAccount(exchange: Exchange, command: FlagAccount): Outcome {
  const id = exchange.accountByAddress.get(command.address);
  const account = id === undefined ? undefined : exchange.accounts[id];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  assert(account.id !== insuranceAccount, 'the insurance fund stays of the house');
  const feeTier = command.feeTier ?? account.feeTier;
  if (command.feeTier !== undefined && exchange.feeTiers[feeTier] === undefined) {
    const detail = `there are tiers 0…${exchange.feeTiers.length - 1}`;
    return rejected({ reason: 'feeTiersInvalid', detail });
  }
  // From here flagAccount must succeed.
  exchange.committed = true;
  const house = command.house ?? account.house;
  if (house !== account.house) {
    for (const position of account.positions) {
      if (position === undefined || position.lots === 0) continue;
      const none = 0 as Lots;
      const change = house
        ? { before: position.lots, after: none }
        : { before: none, after: position.lots };
      countOpenInterest(exchange, exchange.markets[position.market]!, change);
    }
  }
  account.house = house;
  account.feeTier = feeTier;
  placeGuest(exchange, account, exchange.time);
  exchange.events.push({ kind: 'accountFlagged', account: account.id, house, feeTier });
  return { kind: 'accepted', account };
}
