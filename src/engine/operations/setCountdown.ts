// The dead man's switch of an account on a market (ORD-13): a timer of the engine that acts like
// cancelAllOrders, unless it is set again in time. It survives restarts.

import { assert } from '../../std/assert.ts';
import type { MarketId, Money, Time } from '../../units/units.ts';
import { type Account, positionIn } from '../account.ts';
import { equityOf } from '../clearing/margin.ts';
import type { SetCountdown } from '../command.ts';
import { drawNumber, type Exchange, type Timer } from '../exchange.ts';
import { countdownMsMax, equityPerWaiting } from '../limits.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { Rejection } from '../rejection.ts';
import { cancelTimer, hasRoomForCountdown, schedule } from '../timers.ts';
import { cancelEverything } from './cancelAllOrders.ts';
import { hasToCancel } from './hasToCancel.ts';

export function setCountdown(exchange: Exchange, command: SetCountdown): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const market = exchange.markets[command.market];
  if (market === undefined) return rejected({ reason: 'marketUnknown' });
  const { milliseconds } = command;
  const refused = checkCountdown(exchange, account, command);
  if (refused !== undefined) return rejected(refused);
  // From here setCountdown must succeed.
  exchange.committed = true;
  const position = positionIn(account, market.id);
  const expiresAt = (milliseconds === 0 ? 0 : exchange.time + milliseconds) as Time;
  cancelTimer(exchange, position.countdown);
  position.countdown = 0;
  if (milliseconds > 0) {
    const id = drawNumber(exchange);
    position.countdown = id;
    const owner = { account: account.id, market: market.id };
    schedule(exchange, { time: expiresAt, id, kind: 'countdown', ...owner, nonce: '' });
  }
  const owner = { account: account.id, market: market.id };
  exchange.events.push({ kind: 'countdownSet', ...owner, expiresAt });
  return { kind: 'accepted', market };
}

function checkCountdown(
  exchange: Exchange,
  account: Account,
  { market, milliseconds }: SetCountdown,
): Rejection | undefined {
  // A countdown that already runs takes no more room when it runs longer.
  const runs = (account.positions[market]?.countdown ?? 0) !== 0;
  if (milliseconds > 0 && !runs) {
    const isIdle = !hasToCancel(account, market);
    if (!hasRoomForCountdown(exchange, isIdle)) {
      return { reason: 'capacityReached', limit: 'countdowns' };
    }
    const required = equityForCountdown(account, market);
    if (isIdle && equityOf(exchange, account) < required) {
      return { reason: 'equityInsufficient', required };
    }
  }
  if (!Number.isInteger(milliseconds) || milliseconds < 0 || milliseconds > countdownMsMax) {
    return { reason: 'countdownInvalid' };
  }
  return undefined;
}

/**
 * The equity for a countdown with nothing to cancel yet: 10 USDT, and as much for each that runs on
 * another market.
 */
function equityForCountdown(account: Account, market: MarketId): Money {
  let running = 1;
  for (const position of account.positions) {
    if (position !== undefined && position.market !== market && position.countdown !== 0) {
      running += 1;
    }
  }
  return (running * equityPerWaiting) as Money;
}

/** The countdown has run out. */
export function expireCountdown(exchange: Exchange, timer: Timer): void {
  const account = exchange.accounts[timer.account]!;
  const position = positionIn(account, timer.market);
  assert(position.countdown === timer.id, 'a countdown that was replaced is gone');
  position.countdown = 0;
  cancelEverything(exchange, account, timer.market, 'COUNTDOWN');
}
