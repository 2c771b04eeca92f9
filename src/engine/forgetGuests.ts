// How an account that nothing keeps is forgotten (AUTH-5a): when its day is over, or when a new one
// needs its room. Nothing of it remains; its number rests and is used again.

import { assert } from '../std/assert.ts';
import { heapPeek, heapPush, heapRemove } from '../std/heap.ts';
import { type Account, balanceOf } from './account.ts';
import { endTrigger } from './endTrigger.ts';
import type { Exchange } from './exchange.ts';
import { countUnfunded, isKeptByNothing } from './guests.ts';
import { guestLifeMs, guestsForgottenPerBatchMax, unfundedAccountsMax } from './limits.ts';
import { countReferee, hasReferralCode } from './referral.ts';
import { cancelTimer } from './timers.ts';

/** Forgets guests whose time is over, the oldest first, at most so many in a batch. */
export function forgetGuests(exchange: Exchange): void {
  const { waiting } = exchange.guests;
  for (let left = guestsForgottenPerBatchMax; left > 0; left -= 1) {
    const oldest = heapPeek(waiting);
    if (oldest === undefined || oldest.guestSince + guestLifeMs > exchange.time) return;
    forgetAccount(exchange, oldest);
  }
}

/** Makes room for a new account without money: at the bound the oldest guest is forgotten. */
export function makeRoomForGuest(exchange: Exchange): void {
  const { unfunded, waiting } = exchange.guests;
  const oldest = heapPeek(waiting);
  if (unfunded < unfundedAccountsMax || oldest === undefined) return;
  forgetAccount(exchange, oldest);
}

function forgetAccount(exchange: Exchange, account: Account): void {
  const { accounts, accountByAddress, guests, time } = exchange;
  assert(isKeptByNothing(account) && balanceOf(account) === 0, 'only a guest is forgotten');
  // A state from before TRG-7 and ORD-13b may contain triggers and countdowns of such accounts.
  for (const trigger of [...account.triggers]) endTrigger(exchange, trigger, 'CANCELED');
  for (const position of account.positions) {
    if (position === undefined) continue;
    const isBlank = position.lots === 0 && position.orderCount === 0 && !position.held;
    assert(isBlank, 'a guest has neither orders nor positions');
    cancelTimer(exchange, position.countdown);
    position.countdown = 0;
  }
  const listed = account.dirty || exchange.failing.has(account);
  assert(!listed && account.waitingWithdrawals === 0, 'nothing waits for a guest');
  // It counts as idle, so that arming needs equity, which it does not have (COD-3).
  assert(account.armedConnections === 0, 'a guest has no armed connection');
  assert(!hasReferralCode(account), 'a guest has no referral code');
  countReferee(exchange, account, -1);
  countUnfunded(exchange, account, -1);
  heapRemove(guests.waiting, account.guestSlot);
  accounts[account.id] = undefined;
  accountByAddress.delete(account.address);
  if (account.id >= guests.numbersKept) {
    heapPush(guests.vacancies, { id: account.id, since: time });
  }
  exchange.events.push({ kind: 'accountForgotten', account: account.id });
}
