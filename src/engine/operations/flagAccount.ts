// The operator's flags of an account: house (left out of open interest, FUND-1) and fee tier.

import type { Lots } from '../../units/units.ts';
import { countOpenInterest } from '../clearing/openInterest.ts';
import type { FlagAccount } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import { type Outcome, rejected } from '../outcome.ts';

export function flagAccount(exchange: Exchange, command: FlagAccount): Outcome {
  const id = exchange.accountByAddress.get(command.address);
  const account = id === undefined ? undefined : exchange.accounts[id];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  // From here the order must succeed.
  exchange.sure = true;
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
  account.feeTier = command.feeTier ?? account.feeTier;
  const { feeTier } = account;
  exchange.events.push({ kind: 'accountFlagged', account: account.id, house, feeTier });
  return { kind: 'accepted', account };
}
