// The timers of the state: a heap by time, then number. One that was replaced stays until its time
// comes, or until the heap is full and a minute begins: then everything stale is dropped.

import { unreachable } from '../std/assert.ts';
import { heapPush } from '../std/heap.ts';
import type { OrderId, Time } from '../units/units.ts';
import type { Exchange, Timer } from './exchange.ts';
import { timersMax } from './limits.ts';

const minuteMs = 60_000;

/** Whether one more timer fits. */
export function hasRoomForTimer({ timers }: Exchange): boolean {
  return timers.items.length < timersMax;
}

/**
 * As a batch begins a new minute: a full heap drops what is stale. Cost: all timers then. Whoever
 * is refused for want of room meanwhile costs nothing, so that nobody can make it be done often.
 */
export function dropStaleTimers(exchange: Exchange, time: Time): void {
  if (Math.floor(time / minuteMs) === Math.floor(exchange.time / minuteMs)) return;
  const { items } = exchange.timers;
  if (items.length < timersMax) return;
  const live = items.filter((timer) => isLive(exchange, timer));
  // An array in order is a heap.
  live.sort((a, b) => a.time - b.time || a.id - b.id);
  items.length = 0;
  for (const timer of live) items.push(timer);
}

/**
 * Adds a timer. The caller has asked for room, unless it is a market's: those are few (a market has
 * at most one of each kind that is live) and always fit.
 */
export function schedule(exchange: Exchange, timer: Timer): void {
  heapPush(exchange.timers, timer);
}

/** Whether the timer still has something to do when its time comes. */
function isLive(exchange: Exchange, timer: Timer): boolean {
  const { id, kind } = timer;
  const market = exchange.markets[timer.market];
  switch (kind) {
    case 'nonce':
      return true;
    case 'maintenance':
      return market!.raise.timer === id;
    case 'funding':
      return market!.dues.fundingTimer === id;
    case 'delivery':
      return market!.dues.deliveryTimer === id;
    case 'goodTill':
      // It has the number of its trigger, which is kept while it or its order lives (TRG-5).
      return exchange.triggers.has(id as OrderId);
    case 'countdown':
      return exchange.accounts[timer.account]!.positions[timer.market]?.countdown === id;
    default:
      return unreachable(kind);
  }
}
