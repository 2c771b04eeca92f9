// Passes events to those who follow an account: for every step, the events that name the account,
// in order. Events do not contain everything (freezes, collateral of other positions). A follower
// reads the rest from the account after the step.

import type { Event } from '../engine/event.ts';
import { insuranceAccount } from '../engine/marginModes.ts';
import { type Exchange, orderById, triggerById } from '../engine/views/exchange.ts';
import type { Order } from '../engine/views/order.ts';
import type { Trigger } from '../engine/views/trigger.ts';
import type { AccountId, OrderId } from '../units/units.ts';

export type AccountStep = {
  /** The events that name the account. */
  readonly events: readonly Event[];
  /** An order that is active or has ended in this step, as it is after the step. */
  readonly orderOf: (id: OrderId) => Readonly<Order> | undefined;
  /** A trigger that waits, has fired, or has ended in this step, as it is after the step. */
  readonly triggerOf: (id: OrderId) => Readonly<Trigger> | undefined;
};

export type AccountFollower = (step: AccountStep) => void;

export type AccountFeed = Map<AccountId, Set<AccountFollower>>;

export function createAccountFeed(): AccountFeed {
  return new Map();
}

/** Calls with every step that names the account; gives the function that ends it. */
export function followAccount(
  feed: AccountFeed,
  account: AccountId,
  follower: AccountFollower,
): () => void {
  const followers = feed.get(account) ?? new Set();
  feed.set(account, followers.add(follower));
  return () => {
    followers.delete(follower);
    if (followers.size === 0) feed.delete(account);
  };
}

/** Takes the events of one step. The exchange is in the state after the step. */
export function feedAccounts(
  feed: AccountFeed,
  exchange: Exchange,
  events: readonly Event[],
): void {
  if (feed.size === 0) return;
  let reported: Map<AccountId, Event[]> | undefined;
  for (const event of events) {
    const [one, other] = accountsOf(event);
    for (const account of one === other ? [one] : [one, other]) {
      if (!feed.has(account)) continue;
      reported ??= new Map();
      const before = reported.get(account);
      if (before === undefined) reported.set(account, [event]);
      else before.push(event);
    }
  }
  if (reported === undefined) return;
  const ended = endedIn(events);
  const after: Omit<AccountStep, 'events'> = {
    orderOf: (id) => ended.orders.get(id) ?? orderById(exchange, id),
    triggerOf: (id) => ended.triggers.get(id) ?? triggerById(exchange, id),
  };
  for (const [account, theirs] of reported) {
    for (const follower of feed.get(account) ?? []) follower({ events: theirs, ...after });
  }
}

type Ended = {
  readonly orders: ReadonlyMap<OrderId, Readonly<Order>>;
  readonly triggers: ReadonlyMap<OrderId, Readonly<Trigger>>;
};

function endedIn(events: readonly Event[]): Ended {
  const orders = new Map<OrderId, Readonly<Order>>();
  const triggers = new Map<OrderId, Readonly<Trigger>>();
  for (const event of events) {
    if (event.kind === 'orderEnded') orders.set(event.order.id, event.order);
    else if (event.kind === 'triggerEnded') triggers.set(event.trigger.id, event.trigger);
  }
  return { orders, triggers };
}

/**
 * The accounts that an event names. Where it names none, the insurance fund, which has no
 * followers.
 */
function accountsOf(event: Event): readonly [AccountId, AccountId] {
  switch (event.kind) {
    case 'traded':
      return [event.taker.account, event.maker.account];
    case 'takenOver':
      return [event.account.account, event.fund.account];
    case 'deleveraged':
      return [event.bankrupt.account, event.counterparty.account];
    case 'orderEnded':
      return [event.order.account, event.order.account];
    case 'triggerPlaced':
    case 'triggerModified':
    case 'triggerEnded':
      return [event.trigger.account, event.trigger.account];
    // Too frequent for a stream, and no balance changes (NAT-4).
    case 'referralAccrued':
    case 'insuranceCredited':
    case 'feesShared':
    case 'feeTiersSet':
    case 'referralTermsSet':
    case 'marketListed':
    case 'marketChanged':
    case 'marketSettled':
    case 'vaultBound':
    case 'depositParked':
    case 'withdrawalTermsSet':
    case 'priced':
    case 'indexRefused':
    case 'breakerTripped':
    case 'fundingSettled':
    case 'rejected':
      return nobody;
    default:
      return [event.account, event.account];
  }
}

const nobody = [insuranceAccount, insuranceAccount] as const;
