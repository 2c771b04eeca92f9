// The dead man's switch of an account on a market (ORD-13): a timer of the engine that does what
// cancelAllOrders does, unless it is set again in time. It survives restarts.

import type { Time } from '../../units/units.ts';
import { positionIn } from '../account.ts';
import type { SetCountdown } from '../command.ts';
import { drawNumber, type Exchange, type Timer } from '../exchange.ts';
import { countdownMsMax } from '../limits.ts';
import { type Outcome, rejected } from '../outcome.ts';
import { hasRoomForTimer, schedule } from '../timers.ts';
import { cancelEverything } from './cancelAllOrders.ts';

export function setCountdown(exchange: Exchange, command: SetCountdown): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const market = exchange.markets[command.market];
  if (market === undefined) return rejected({ reason: 'marketUnknown' });
  const { milliseconds } = command;
  if (!Number.isInteger(milliseconds) || milliseconds < 0 || milliseconds > countdownMsMax) {
    return rejected({ reason: 'countdownInvalid' });
  }
  if (milliseconds > 0 && !hasRoomForTimer(exchange)) {
    return rejected({ reason: 'capacityReached', limit: 'timers' });
  }
  // From here the order must succeed.
  exchange.sure = true;
  const position = positionIn(account, market.id);
  const expiresAt = (milliseconds === 0 ? 0 : exchange.time + milliseconds) as Time;
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

/** The timer has come; a countdown that was set again or removed since is not this timer's. */
export function expireCountdown(exchange: Exchange, timer: Timer): void {
  const account = exchange.accounts[timer.account]!;
  const position = account.positions[timer.market];
  // A record that says nothing is in no snapshot.
  if (position === undefined || position.countdown !== timer.id) return;
  position.countdown = 0;
  cancelEverything(exchange, account, timer.market, 'COUNTDOWN');
}
