// The timers of the state: a heap by time, then number. A timer that is replaced, or whose owner
// has ended, leaves at once, so that there are no dead timers and each kind has a bound of its own.

import { assert, must, unreachable } from '../std/assert.ts';
import { createHeap, type Heap, heapPeek, heapPush, heapRemove } from '../std/heap.ts';
import type { OrderId, Time } from '../units/units.ts';
import type { Exchange, Timer, Timers } from './exchange.ts';
import { countdownsIdleMax, countdownsMax, goodTillTimersMax } from './limits.ts';

export function createTimers(): Timers {
  const heap: Heap<Timer> = createHeap(
    (a, b) => a.time < b.time || (a.time === b.time && a.id < b.id),
    (timer, slot) => {
      timer.slot = slot;
    },
  );
  const counts = { countdown: 0, nonce: 0, maintenance: 0, funding: 0, delivery: 0, goodTill: 0 };
  return { ...heap, byId: new Map(), counts };
}

/** Whether one more good-till-date may wait; the rest of the room is for countdowns (TRG-5a). */
export function hasRoomForGoodTill({ timers }: Exchange): boolean {
  return timers.counts.goodTill < goodTillTimersMax;
}

/**
 * Whether one more countdown may wait; a part is for accounts with something to cancel (ORD-13b).
 */
export function hasRoomForCountdown({ timers }: Exchange, isIdle: boolean): boolean {
  return timers.counts.countdown < (isIdle ? countdownsIdleMax : countdownsMax);
}

/**
 * Adds a timer. The caller has checked for room, except for a market's timers and nonces. A market
 * has at most one timer of each kind, so there is always room for these; nonces have a bound of
 * their own.
 */
export function schedule({ timers }: Exchange, timer: Omit<Timer, 'slot'>): void {
  assert(!timers.byId.has(timer.id), 'a timer has a number of its own');
  const added = { ...timer, slot: -1 };
  timers.byId.set(added.id, added);
  timers.counts[added.kind] += 1;
  heapPush(timers, added);
}

/**
 * Removes a timer that is no longer needed; 0, and the number of one that has run, have no effect.
 */
export function cancelTimer({ timers }: Exchange, id: number): void {
  const timer = timers.byId.get(id);
  if (timer !== undefined) removeTimer(timers, timer);
}

/** Takes out the next timer whose time has come. */
export function takeDueTimer({ timers }: Exchange, time: Time): Timer | undefined {
  const timer = heapPeek(timers);
  if (timer === undefined || timer.time > time) return undefined;
  removeTimer(timers, timer);
  return timer;
}

/**
 * Takes out the timers of markets whose time has come, by time, then number: for a batch that has
 * spent its work on others (ORD-15). A timer set by one of them runs in the next batch. Cost: the
 * markets.
 */
export function takeDueOfMarkets({ markets, timers }: Exchange, time: Time): Timer[] {
  const due: Timer[] = [];
  for (const { dues, raise } of markets) {
    for (const id of [dues.fundingTimer, dues.deliveryTimer, raise.timer]) {
      const timer = timers.byId.get(id);
      if (timer === undefined || timer.time > time) continue;
      removeTimer(timers, timer);
      due.push(timer);
    }
  }
  return due.sort((a, b) => a.time - b.time || a.id - b.id);
}

/** Whether what the timer was set for still exists and waits for this timer. */
export function isAwaited(exchange: Exchange, timer: Omit<Timer, 'slot'>): boolean {
  const { id, kind } = timer;
  const market = exchange.markets[timer.market];
  switch (kind) {
    case 'nonce':
      return exchange.nonces.has(timer.nonce);
    case 'maintenance':
      return market?.raise.timer === id;
    case 'funding':
      return market?.dues.fundingTimer === id;
    case 'delivery':
      return market?.dues.deliveryTimer === id;
    case 'goodTill':
      return exchange.triggers.get(id as OrderId)?.goodTillDate === timer.time;
    case 'countdown':
      return exchange.accounts[timer.account]?.positions[timer.market]?.countdown === id;
    default:
      return unreachable(kind);
  }
}

function removeTimer(timers: Timers, timer: Timer): void {
  const { id, kind, slot } = timer;
  assert(must(timers.items[slot], 'a timer knows its place') === timer, 'a timer is in its place');
  heapRemove(timers, slot);
  timers.byId.delete(id);
  timers.counts[kind] -= 1;
}
