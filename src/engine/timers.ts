// The timers of the state: a heap by time, then number. One that was replaced stays until its time
// comes, or until the heap is full and everything stale is dropped.

import { heapPush } from '../std/heap.ts';
import type { Exchange, Timer } from './exchange.ts';
import { timersMax } from './limits.ts';

/** Whether one more timer fits. Cost: all timers when the heap is full, else nothing. */
export function hasRoomForTimer(exchange: Exchange): boolean {
  const { items } = exchange.timers;
  if (items.length < timersMax) return true;
  const live = items.filter((timer) => isLive(exchange, timer));
  // An array in order is a heap.
  live.sort((a, b) => a.time - b.time || a.id - b.id);
  items.length = 0;
  for (const timer of live) items.push(timer);
  return items.length < timersMax;
}

/** Adds a timer. The caller has asked for room. */
export function schedule(exchange: Exchange, timer: Timer): void {
  heapPush(exchange.timers, timer);
}

/** Whether the timer still has something to do when its time comes. */
function isLive(exchange: Exchange, timer: Timer): boolean {
  if (timer.kind === 'nonce') return true;
  if (timer.kind === 'maintenance') return exchange.markets[timer.market]!.raise.timer === timer.id;
  const position = exchange.accounts[timer.account]!.positions[timer.market];
  return position !== undefined && position.countdown === timer.id;
}
