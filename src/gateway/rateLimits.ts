// The limits of the interface (spec, Limits; AUTH-7): fixed windows aligned to the wall clock.
// This file only counts; the handlers decide which request counts where.

import { type Ceilings, tierCeilings } from '../api/rateTiers.ts';
import type { RateTier } from '../engine/marginModes.ts';
import { assert } from '../std/assert.ts';
import type { SocketCeilings } from './sockets/socketCounts.ts';
import {
  type Counter,
  createCounter,
  type FindCounter,
  noteUse,
  shareLimit,
  type Tallies,
  type TallyKind,
} from './tallies.ts';

const minuteMs = 60_000;
const tenSecondsMs = 10_000;

/** Of public FAPI routes, per client address and minute. */
export const publicWeightMax = 6000;
/** Of signed FAPI routes before authentication, per client address and minute. */
export const gateMax = 24_000;
/** Of native routes without a token, per client address and minute. */
export const nativeAddressMax = 6000;
/** Of native routes with a token, per account and minute. */
export const nativeAccountMax = 1200;

/** Messages of all sockets of streams, per client address and minute (WS-5). */
export const socketMessagesMax = 24_000;

/** Sockets that are open at once, of one client address and of all (WS-5). */
export const socketsPerAddressMax = 1000;
export const socketsMax = 10_000;

/** Addresses with a record of their own in one minute; the others share one record. */
export const addressesMax = 200_000;

/** When the minute of `now` began: its window. */
export function minuteOf(now: number): number {
  return now - (now % minuteMs);
}

/** What was used in this window. After a clock was set back, the later window stays. */
export function usedIn(counter: Counter, length: number, now: number): number {
  const window = now - (now % length);
  if (window > counter.window) {
    counter.window = window;
    counter.used = 0;
  }
  return counter.used;
}

/** An amount to count in a minute, and the minute's ceiling. */
export type Taking = { readonly amount: number; readonly ceiling: number; readonly now: number };

/** Whether `amount` fits in the minute; counts nothing. */
export function hasInMinute(counter: Counter, { amount, ceiling, now }: Taking): boolean {
  return usedIn(counter, minuteMs, now) + amount <= ceiling;
}

/** Counts `amount` in the minute unless it would pass the ceiling. */
export function takeInMinute(counter: Counter, taking: Taking): boolean {
  if (!hasInMinute(counter, taking)) return false;
  counter.used += taking.amount;
  noteUse(counter);
  return true;
}

/** Counts what has been used already, without looking at a ceiling. */
export function countInMinute(counter: Counter, amount: number, now: number): void {
  counter.used = usedIn(counter, minuteMs, now) + amount;
  noteUse(counter);
}

/**
 * Takes back what was counted in the minute of `now`. If that minute has ended, it does nothing.
 */
export function giveBackInMinute(counter: Counter, amount: number, now: number): void {
  if (counter.window === minuteOf(now)) counter.used = Math.max(0, counter.used - amount);
}

export function usedInMinute(counter: Counter, now: number): number {
  return usedIn(counter, minuteMs, now);
}

/** The two order buckets of one key or account. */
export type OrderCounters = { readonly tenSeconds: Counter; readonly minute: Counter };

export function createOrderCounters(): OrderCounters {
  return { tenSeconds: createCounter(), minute: createCounter() };
}

/** Whether one more order fits in both windows; counts nothing. */
export function hasOrder(
  { tenSeconds, minute }: OrderCounters,
  { orders10s, orders1m }: Ceilings,
  now: number,
): boolean {
  const inTenSeconds = usedIn(tenSeconds, tenSecondsMs, now);
  return inTenSeconds < orders10s && usedIn(minute, minuteMs, now) < orders1m;
}

/** Counts one order in both windows. If one of them is full, it counts in none. */
export function takeOrder(counters: OrderCounters, ceilings: Ceilings, now: number): boolean {
  if (!hasOrder(counters, ceilings, now)) return false;
  counters.tenSeconds.used += 1;
  counters.minute.used += 1;
  return true;
}

export function ordersIn10s({ tenSeconds }: OrderCounters, now: number): number {
  return usedIn(tenSeconds, tenSecondsMs, now);
}

export function ordersIn1m({ minute }: OrderCounters, now: number): number {
  return usedIn(minute, minuteMs, now);
}

/**
 * Records by key. A record lives at least as long as the longest window after its last use. Two
 * generations that change each minute forget old records without a walk over them.
 */
export type Generations<Key, Record> = {
  readonly make: (key: Key) => Record;
  readonly sizeMax: number;
  /** The record of all keys beyond `sizeMax` in one minute. */
  readonly overflow: Record;
  window: number;
  current: Map<Key, Record>;
  previous: Map<Key, Record>;
};

export function createGenerations<Key, Record>(options: {
  readonly make: (key: Key) => Record;
  readonly overflow: Record;
  readonly sizeMax: number;
}): Generations<Key, Record> {
  assert(options.sizeMax > 0, 'a generation holds at least one record');
  return { ...options, window: 0, current: new Map(), previous: new Map() };
}

/** The record of `key`; made if there is none. */
export function recordOf<Key, Record>(
  generations: Generations<Key, Record>,
  key: Key,
  now: number,
): Record {
  const window = now - (now % minuteMs);
  if (window > generations.window) {
    generations.previous =
      window - generations.window === minuteMs ? generations.current : new Map();
    generations.current = new Map();
    generations.window = window;
  }
  const found = generations.current.get(key);
  if (found !== undefined) return found;
  if (generations.current.size >= generations.sizeMax) return generations.overflow;
  const record = generations.previous.get(key) ?? generations.make(key);
  generations.current.set(key, record);
  return record;
}

/** What one client address has used. */
export type AddressUse = {
  readonly gate: Counter;
  readonly weight: Counter;
  /** Holds what is given back if the tokens that are being checked are good. */
  readonly native: Counter;
  readonly messages: Counter;
};

type AddressKinds = { readonly [Name in keyof AddressUse]: TallyKind | undefined };

const createAddressUse = (kinds: AddressKinds, key?: string): AddressUse => ({
  gate: createCounter(kinds.gate, key),
  weight: createCounter(kinds.weight, key),
  native: createCounter(kinds.native, key),
  messages: createCounter(kinds.messages, key),
});

/** Runs the check of a token, for which `amount` was counted and may be given back. */
export async function whileReturnable<Found>(
  { native }: AddressUse,
  amount: number,
  look: () => Promise<Found>,
): Promise<Found> {
  native.held += amount;
  try {
    return await look();
  } finally {
    native.held -= amount;
    noteUse(native);
  }
}

/** What one account has used: on the native surface, and over all its keys and its token. */
export type AccountUse = {
  readonly requests: Counter;
  readonly orders: OrderCounters;
  readonly weight: Counter;
  readonly allOrders: OrderCounters;
  /** The engine's work for its commands, in units of work. */
  readonly work: Counter;
};

type AccountKinds = {
  readonly [Name in 'requests' | 'weight' | 'work']: TallyKind | undefined;
};

const createAccountUse = (kinds: AccountKinds, key?: number): AccountUse => ({
  requests: createCounter(kinds.requests, key),
  orders: createOrderCounters(),
  weight: createCounter(kinds.weight, key),
  allOrders: createOrderCounters(),
  work: createCounter(kinds.work, key),
});

/** All ceilings. */
export type RateCeilings = {
  readonly gate: number;
  readonly publicWeight: number;
  readonly nativeAddress: number;
  readonly nativeAccount: number;
  readonly socketMessages: number;
  readonly tiers: Readonly<Record<RateTier, Ceilings>>;
  readonly sockets: SocketCeilings;
};

export type RateLimits = {
  readonly ceilings: RateCeilings;
  readonly addresses: Generations<string, AddressUse>;
  readonly accounts: Generations<number, AccountUse>;
};

export type RateLimitOptions = {
  /** Multiplies every ceiling; 1 as the interface says. Only for benchmarks. */
  readonly scale?: number;
  readonly sizeMax?: number;
  /** Ceilings of sockets, if not as usual. */
  readonly sockets?: SocketCeilings | undefined;
  /** Of a process that shares its limits with others. */
  readonly tallies?: Tallies | undefined;
};

export function createRateLimits({
  scale = 1,
  sizeMax = addressesMax,
  sockets,
  tallies,
}: RateLimitOptions = {}): RateLimits {
  assert(scale >= 1, 'limits are never below the interface');
  const ceilings = scaledCeilings(scale);
  return {
    ceilings: { ...ceilings, ...(sockets === undefined ? {} : { sockets }) },
    addresses: addressesOf(tallies, ceilings, sizeMax),
    accounts: accountsOf(tallies, ceilings, sizeMax),
  };
}

/** The limits of these names are shared by all processes. */
function addressesOf(
  tallies: Tallies | undefined,
  ceilings: RateCeilings,
  sizeMax: number,
): RateLimits['addresses'] {
  const share = (name: keyof AddressUse, ceiling: number): TallyKind | undefined => {
    const limit = { word: `address.${name}`, lengthMs: minuteMs, ceiling };
    return shareLimit(tallies, limit, (key, window) => recordOf(records, key, window)[name]);
  };
  const kinds = {
    gate: share('gate', ceilings.gate),
    weight: share('weight', ceilings.publicWeight),
    native: share('native', ceilings.nativeAddress),
    messages: share('messages', ceilings.socketMessages),
  };
  const records: RateLimits['addresses'] = createGenerations({
    make: (key: string) => createAddressUse(kinds, key),
    ...{ overflow: createAddressUse(unshared), sizeMax },
  });
  return records;
}

function accountsOf(
  tallies: Tallies | undefined,
  ceilings: RateCeilings,
  sizeMax: number,
): RateLimits['accounts'] {
  const share = (name: keyof AccountKinds, ceiling: number): TallyKind | undefined => {
    const limit = { word: `account.${name}`, lengthMs: minuteMs, ceiling };
    const find: FindCounter = (key, window) => recordOf(records, Number(key), window)[name];
    return shareLimit(tallies, limit, find);
  };
  const { weight } = ceilings.tiers.standard;
  const kinds = {
    requests: share('requests', ceilings.nativeAccount),
    // Four keys of the least tier, and sixteen units of work for each unit of weight.
    weight: share('weight', 4 * weight),
    work: share('work', 64 * weight),
  };
  const records: RateLimits['accounts'] = createGenerations({
    make: (key: number) => createAccountUse(kinds, key),
    ...{ overflow: createAccountUse(unshared), sizeMax },
  });
  return records;
}

/** The record of all keys beyond the bound of a map is of this process alone. */
const unshared = {
  ...{ gate: undefined, weight: undefined, native: undefined, messages: undefined },
  ...{ requests: undefined, work: undefined },
};

function scaledCeilings(scale: number): RateCeilings {
  const tier = ({ weight, orders10s, orders1m }: Ceilings): Ceilings => ({
    weight: weight * scale,
    orders10s: orders10s * scale,
    orders1m: orders1m * scale,
  });
  const { standard, house } = tierCeilings;
  return {
    gate: gateMax * scale,
    publicWeight: publicWeightMax * scale,
    nativeAddress: nativeAddressMax * scale,
    nativeAccount: nativeAccountMax * scale,
    socketMessages: socketMessagesMax * scale,
    // The room in the process does not grow with the scale.
    sockets: { perAddress: Math.min(socketsPerAddressMax * scale, socketsMax), all: socketsMax },
    tiers: {
      standard: tier(standard),
      'ext-mm': tier(tierCeilings['ext-mm']),
      house: tier(house),
    },
  };
}
