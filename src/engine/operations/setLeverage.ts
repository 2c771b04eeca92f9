// The leverage setting of an account on a market (MAR-5): later orders use it; existing orders and
// positions do not change.

import { positionIn } from '../account.ts';
import type { SetLeverage } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import { type Outcome, rejected } from '../outcome.ts';

export function setLeverage(exchange: Exchange, command: SetLeverage): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const market = exchange.markets[command.market];
  if (market === undefined) return rejected({ reason: 'marketUnknown' });
  const { leverage } = command;
  const max = market.terms.maxLeverage;
  if (!Number.isInteger(leverage) || leverage < 1 || leverage > max) {
    return rejected({ reason: 'leverageInvalid', leverage, max });
  }
  // From here setLeverage must succeed.
  exchange.committed = true;
  positionIn(account, market.id).leverage = leverage;
  exchange.events.push({ kind: 'leverageSet', account: account.id, market: market.id, leverage });
  return { kind: 'accepted', market };
}
