// Cancel on disconnect: an account arms a connection, so that the end of the connection ends its
// orders (COD-1), or disarms it.

import { assert } from '../../std/assert.ts';
import type { MarketId, Money } from '../../units/units.ts';
import type { Account } from '../account.ts';
import { equityOf } from '../clearing/margin.ts';
import type { ArmConnection, DisarmConnection } from '../connectionCommand.ts';
import type { Exchange } from '../exchange.ts';
import {
  armedConnectionsMax,
  armedMarketsMax,
  armedPerAccountMax,
  armedWithEquityMax,
  equityPerWaiting,
} from '../limits.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { Rejection } from '../rejection.ts';
import { hasToCancel } from './hasToCancel.ts';

export function armConnection(exchange: Exchange, command: ArmConnection): Outcome {
  const { connection: id, markets } = command;
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const isKnown = markets.every((market) => exchange.markets[market] !== undefined);
  if (!isKnown) return rejected({ reason: 'marketUnknown' });
  const rising = markets.every((market, index) => index === 0 || markets[index - 1]! < market);
  assert(rising && markets.length <= armedMarketsMax, 'an armed connection names few markets once');
  assert(Number.isSafeInteger(id) && id > 0, 'a connection has a number');
  const { armed } = exchange.connections;
  const present = armed.get(id);
  assert(present === undefined || present.account === account.id, 'a connection has one account');
  // Another choice of markets takes no more room.
  const refused = present === undefined ? checkRoom(exchange, account, markets) : undefined;
  if (refused !== undefined) return rejected(refused);
  // From here armConnection must succeed.
  exchange.committed = true;
  if (present !== undefined) present.markets = markets;
  else {
    armed.set(id, { id, account: account.id, markets });
    account.armedConnections += 1;
  }
  exchange.events.push({ kind: 'connectionArmed', account: account.id, connection: id, markets });
  return { kind: 'accepted' };
}

/**
 * COD-3: required = (the account's other armed connections + 1 if nothing would end now) × 10 USDT.
 */
function checkRoom(
  exchange: Exchange,
  account: Account,
  markets: readonly MarketId[],
): Rejection | undefined {
  const paying = account.armedConnections + (isIdle(account, markets) ? 1 : 0);
  const { size } = exchange.connections.armed;
  if (size >= (paying > 0 ? armedWithEquityMax : armedConnectionsMax)) {
    return { reason: 'capacityReached', limit: 'armed connections' };
  }
  if (account.armedConnections >= armedPerAccountMax) return { reason: 'connectionsLimit' };
  const required = (paying * equityPerWaiting) as Money;
  if (required === 0 || equityOf(exchange, account) >= required) return undefined;
  return { reason: 'equityInsufficient', required };
}

/** An account that was never credited counts as idle, so that a guest is never armed (AUTH-5a). */
function isIdle(account: Account, markets: readonly MarketId[]): boolean {
  if (!account.funded) return true;
  if (markets.length === 0) return !hasToCancel(account);
  return !markets.some((market) => hasToCancel(account, market));
}

/** Without effect when the connection is not armed by this account. */
export function disarmConnection(exchange: Exchange, command: DisarmConnection): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const { armed } = exchange.connections;
  const present = armed.get(command.connection);
  // From here disarmConnection must succeed.
  exchange.committed = true;
  if (present?.account !== account.id) return { kind: 'accepted' };
  armed.delete(present.id);
  account.armedConnections -= 1;
  const { connection } = command;
  exchange.events.push({ kind: 'connectionDisarmed', account: account.id, connection });
  return { kind: 'accepted' };
}
