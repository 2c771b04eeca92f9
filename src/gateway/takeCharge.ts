// The order limits of a deployment with several processes (AUTH-7). The holder of the lease decides
// alone: it counts its own clients' orders and those that other processes pass on. What it has
// counted stands beside the batch (a charge for each order), every process that applies the batch
// counts the same, and the next holder goes on from there. So no order is admitted beyond a limit,
// however a client spreads its orders and whenever a holder dies.
//
// A process that passes orders on also counts those of its own clients, as it would alone. That
// limits what one client can make it pass on; the holder's count decides.

import { type Account, type ApiKey, apiKeysOf } from '../engine/views/account.ts';
import { accountById, type Exchange } from '../engine/views/exchange.ts';
import type { CountedOrders, OrderCharge } from '../replica/replica.ts';
import type { AccountId } from '../units/units.ts';
import { type AccountCharge, takeOrderOf } from './accountCeilings.ts';
import type { KeyRing } from './keyRing.ts';
import {
  type Counter,
  createGenerations,
  createOrderCounters,
  type Generations,
  minuteOf,
  type OrderCounters,
  type RateLimits,
  recordOf,
} from './rateLimits.ts';

/** Whose order it is. */
export type OrderSender = Pick<OrderCharge, 'account' | 'key'>;

/** What batches have used of the limits, by key or token and by account. */
export type LoggedOrders = {
  readonly senders: Generations<string, OrderSender & { readonly counters: OrderCounters }>;
  readonly accounts: Generations<AccountId, OrderCounters>;
};

/** Keys and accounts with counters of their own in one minute. */
const sendersMax = 500_000;

export function createLoggedOrders(): LoggedOrders {
  const none = { account: -1 as AccountId, key: 0, counters: createOrderCounters() };
  return {
    senders: createGenerations({
      make: (name: string) => {
        const [account, key] = name.split(' ').map(Number) as [AccountId, number];
        return { account, key, counters: createOrderCounters() };
      },
      ...{ overflow: none, sizeMax: sendersMax },
    }),
    accounts: createGenerations({
      make: createOrderCounters,
      ...{ overflow: createOrderCounters(), sizeMax: sendersMax },
    }),
  };
}

/**
 * Counts an order of a batch that was applied here and counted elsewhere. Gives what its key or
 * token has used with it.
 */
export function countLogged(
  { senders, accounts }: LoggedOrders,
  { account, key, window }: OrderCharge,
): CountedOrders {
  const { counters } = recordOf(senders, `${account} ${key}`, window);
  countIn(counters, window);
  countIn(recordOf(accounts, account, window), window);
  return { window, inTenSeconds: counters.tenSeconds.used, inMinute: counters.minute.used };
}

function countIn({ tenSeconds, minute }: OrderCounters, window: number): void {
  countInWindow(tenSeconds, window);
  countInWindow(minute, minuteOf(window));
}

/** An order of an older window counts nowhere any more. */
function countInWindow(counter: Counter, window: number): void {
  if (window > counter.window) {
    counter.window = window;
    counter.used = 0;
  }
  if (window === counter.window) counter.used += 1;
}

export type OrderLimits = {
  readonly exchange: Exchange;
  readonly limits: RateLimits;
  readonly keys: Pick<KeyRing, 'useOf'>;
};

/**
 * Counts an order that another process passes on, at the holder. Gives its charge, or why it is
 * refused: its key may have been disabled or deleted since that process checked it.
 */
export function takeCharge(
  options: OrderLimits,
  sender: OrderSender,
  now: number,
): OrderCharge | 'tooManyRequests' | 'apiKeyInvalid' | 'apiKeyDisabled' {
  const { exchange, limits } = options;
  const account = accountById(exchange, sender.account);
  const apiKey = account && keyOf(account, sender.key);
  if (account === undefined || (sender.key !== 0 && apiKey === undefined)) return 'apiKeyInvalid';
  if (apiKey !== undefined && apiKey.status !== 'active') return 'apiKeyDisabled';
  const counters = countersOf(options, account, { apiKey, now });
  const ceilings = limits.ceilings.tiers[apiKey?.rateTier ?? 'standard'];
  const charge: AccountCharge = { account, weight: 0, isOrder: true, now };
  if (!takeOrderOf(limits, { counters, ceilings }, charge)) return 'tooManyRequests';
  return { ...sender, window: counters.tenSeconds.window };
}

const keyOf = (account: Account, key: number): ApiKey | undefined =>
  apiKeysOf(account).find(({ id }) => id === key);

function countersOf(
  { limits, keys }: OrderLimits,
  account: Account,
  { apiKey, now }: { readonly apiKey: ApiKey | undefined; readonly now: number },
): OrderCounters {
  if (apiKey !== undefined) return keys.useOf(apiKey, now).orders;
  return recordOf(limits.accounts, account.id, now).orders;
}

/**
 * At a takeover, when all batches of the former holder are applied: this process, which decides
 * from now on, has counted at least what they have used.
 */
export function adoptLogged(options: OrderLimits, logged: LoggedOrders, now: number): void {
  for (const record of recordsOf(logged.senders)) raiseSender(options, record, now);
  const { accounts } = options.limits;
  for (const generation of [logged.accounts.previous, logged.accounts.current]) {
    for (const [id, counters] of generation) {
      raise(recordOf(accounts, id, now).allOrders, counters);
    }
  }
}

/**
 * The same for the sender of one order, at a process that passes orders on: a client whose limit is
 * used up elsewhere is refused here at once, and sees how much of it is used.
 */
export function adoptSender(
  options: OrderLimits,
  { senders, accounts }: LoggedOrders,
  { account, key, window }: OrderCharge,
): void {
  raiseSender(options, recordOf(senders, `${account} ${key}`, window), window);
  const all = recordOf(accounts, account, window);
  raise(recordOf(options.limits.accounts, account, window).allOrders, all);
}

function raiseSender(
  options: OrderLimits,
  { account: id, key, counters }: OrderSender & { readonly counters: OrderCounters },
  now: number,
): void {
  const account = accountById(options.exchange, id);
  const apiKey = account && keyOf(account, key);
  if (account === undefined || (key !== 0 && apiKey === undefined)) return;
  raise(countersOf(options, account, { apiKey, now }), counters);
}

/** An order that this process has counted was certainly not executed. */
export function giveBack(options: OrderLimits, charge: OrderCharge, now: number): void {
  const account = accountById(options.exchange, charge.account);
  const apiKey = account && keyOf(account, charge.key);
  if (account === undefined || (charge.key !== 0 && apiKey === undefined)) return;
  lower(countersOf(options, account, { apiKey, now }), charge.window);
  lower(recordOf(options.limits.accounts, account.id, now).allOrders, charge.window);
}

function lower({ tenSeconds, minute }: OrderCounters, window: number): void {
  lowerCounter(tenSeconds, window);
  lowerCounter(minute, minuteOf(window));
}

function lowerCounter(counter: Counter, window: number): void {
  if (counter.window === window) counter.used = Math.max(0, counter.used - 1);
}

function* recordsOf<Record>({ previous, current }: Generations<string, Record>): Iterable<Record> {
  yield* previous.values();
  yield* current.values();
}

function raise(own: OrderCounters, logged: OrderCounters): void {
  raiseCounter(own.tenSeconds, logged.tenSeconds);
  raiseCounter(own.minute, logged.minute);
}

function raiseCounter(own: Counter, { window, used }: Counter): void {
  if (window < own.window) return;
  own.used = window > own.window ? used : Math.max(own.used, used);
  own.window = window;
}
