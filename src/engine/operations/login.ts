// A login whose signature the gateway has verified (AUTH-5). Its nonce is used up until its own
// expiry, and a new wallet gets its account, for a day unless something keeps it (AUTH-5a).

import type { AccountId, MarketId, Time } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Login } from '../command.ts';
import { drawNumber, type Exchange, type Timer } from '../exchange.ts';
import { makeRoomForGuest } from '../forgetGuests.ts';
import { hasRoomForGuest, placeGuest } from '../guests.ts';
import {
  loginNoncesMax,
  sessionMs,
  sessionsPerAccountMax,
  sessionsPerGuestMax,
} from '../limits.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { Session } from '../session.ts';
import { schedule } from '../timers.ts';
import { openAccount } from './openAccount.ts';

export function login(exchange: Exchange, command: Login): Outcome {
  const { address, nonce, expiresAt, client = '', agent = '' } = command;
  if (exchange.nonces.has(nonce)) return rejected({ reason: 'nonceUsed' });
  if (expiresAt <= exchange.time) return rejected({ reason: 'nonceExpired' });
  if (exchange.nonces.size >= loginNoncesMax) {
    return rejected({ reason: 'capacityReached', limit: 'loginNonces' });
  }
  const isKnown = exchange.accountByAddress.has(address);
  if (!isKnown && !hasRoomForGuest(exchange)) {
    return rejected({ reason: 'capacityReached', limit: 'accounts' });
  }
  // From here login must succeed.
  exchange.committed = true;
  if (!isKnown) makeRoomForGuest(exchange);
  const account = openAccount(exchange, address);
  if (!isKnown) exchange.events.push({ kind: 'guestCreated', account: account.id, address });
  placeGuest(exchange, account, exchange.time);
  exchange.nonces.set(nonce, expiresAt);
  const owner = { account: 0 as AccountId, market: 0 as MarketId };
  const id = drawNumber(exchange);
  schedule(exchange, { time: expiresAt, id, kind: 'nonce', ...owner, nonce });
  exchange.events.push({ kind: 'loggedIn', account: account.id });
  const session = openSession(exchange, account, { id, client, agent });
  return { kind: 'accepted', account, session };
}

/** Expired sessions are forgotten, and at the bound the oldest ends (AUTH-11). */
function openSession(
  exchange: Exchange,
  account: Account,
  { id, client, agent }: Pick<Session, 'id' | 'client' | 'agent'>,
): Session {
  const { time, events } = exchange;
  const { sessions, funded } = account;
  while (sessions.length > 0 && sessions[0]!.expiresAt <= time) sessions.shift();
  const max = funded ? sessionsPerAccountMax : sessionsPerGuestMax;
  while (sessions.length >= max) {
    events.push({ kind: 'sessionEnded', account: account.id, id: sessions.shift()!.id });
  }
  const expiresAt = (time + sessionMs) as Time;
  const session = { id, createdAt: time, expiresAt, client, agent };
  sessions.push(session);
  return session;
}

export function forgetNonce(exchange: Exchange, timer: Timer): void {
  exchange.nonces.delete(timer.nonce);
}
