// Guests: accounts that nothing keeps (AUTH-5a). They were never credited, have no API key, and the
// operator did not set them up. A login makes one, and a day later it is forgotten. This file
// defines which accounts these are and the order in which they are forgotten. forgetGuests.ts
// forgets one.

import { createHeap, type Heap, heapPush, heapRemove } from '../std/heap.ts';
import type { AccountId, Time } from '../units/units.ts';
import type { Account } from './account.ts';
import type { Exchange } from './exchange.ts';
import { accountsMax, numberRestMs, unfundedAccountsMax, unfundedNumbersMax } from './limits.ts';

/** The number of a forgotten account, and since when it rests. */
export type Vacancy = { readonly id: AccountId; readonly since: Time };

export type Guests = {
  /** By the time when their day began, then by number. */
  readonly waiting: Heap<Account>;
  /** Numbers that may be used again, by the time since when they rest, then by number. */
  readonly vacancies: Heap<Vacancy>;
  /**
   * Numbers below this are never used again: their accounts are older than this rule, and rows may
   * name them. 0 when there are none.
   */
  numbersKept: number;
  /**
   * The numbers of accounts that were never credited, and of those among them with keys. Counted
   * from the accounts.
   */
  unfunded: number;
  unfundedWithKeys: number;
};

export function createGuests(): Guests {
  return {
    waiting: createHeap(
      (a, b) => a.guestSince < b.guestSince || (a.guestSince === b.guestSince && a.id < b.id),
      (account, slot) => {
        account.guestSlot = slot;
      },
    ),
    vacancies: createHeap((a, b) => a.since < b.since || (a.since === b.since && a.id < b.id)),
    numbersKept: 0,
    unfunded: 0,
    unfundedWithKeys: 0,
  };
}

/**
 * Whether nothing keeps the account: it never had money, has no key, and the operator did not set
 * it up.
 */
export function isKeptByNothing(account: Account): boolean {
  const { funded, apiKeys, house, feeTier } = account;
  return !funded && apiKeys.length === 0 && !house && feeTier === 0;
}

/** Moves an account in or out of the guests after something that may keep it has changed. */
export function placeGuest({ guests }: Exchange, account: Account, since: Time): void {
  if (account.guestSlot >= 0) heapRemove(guests.waiting, account.guestSlot);
  const isGuest = isKeptByNothing(account);
  account.guestSince = isGuest ? since : (0 as Time);
  if (isGuest) heapPush(guests.waiting, account);
}

/** Counts an account of the state among those that were never credited. */
export function countUnfunded({ guests }: Exchange, account: Account, by: 1 | -1): void {
  if (account.funded) return;
  guests.unfunded += by;
  if (account.apiKeys.length > 0) guests.unfundedWithKeys += by;
}

/** Whether a number is available for one more account. */
export function hasNumber(exchange: Exchange): boolean {
  return hasRested(exchange) || exchange.accounts.length < accountsMax;
}

/** Whether one more account without money fits, if necessary by forgetting the oldest guest. */
export function hasRoomForGuest(exchange: Exchange): boolean {
  const { unfunded, vacancies, waiting } = exchange.guests;
  const isNumbered = hasRested(exchange) || unfunded + vacancies.items.length < unfundedNumbersMax;
  return (
    hasNumber(exchange) &&
    isNumbered &&
    (unfunded < unfundedAccountsMax || waiting.items.length > 0)
  );
}

/** Takes the number that has rested longest, else a new one. The caller has checked for room. */
export function takeNumber(exchange: Exchange): AccountId {
  const { vacancies } = exchange.guests;
  if (!hasRested(exchange)) return exchange.accounts.length as AccountId;
  return heapRemove(vacancies, 0)!.id;
}

function hasRested({ guests, time }: Exchange): boolean {
  const longest = guests.vacancies.items[0];
  return longest !== undefined && longest.since + numberRestMs <= time;
}
