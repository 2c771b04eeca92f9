// The price at which a market will be settled (SYM-2c): the mean of the index over the hour before
// the delivery, by time. Here are the sums of the minutes, the mean, and how prices move to it.

import { assert } from '../std/assert.ts';
import { mulDivHalfEven } from '../units/mulDiv.ts';
import type { Ticks, Time } from '../units/units.ts';
import { deliveryOf, haltedAgeMs, type IndexMinute, type Market } from './market.ts';

const hourMinutes = 60;
const minuteMs = 60_000;
const hourMs = hourMinutes * minuteMs;

/** What the functions below read of a market. */
type Settling = Pick<Market, 'status' | 'terms' | 'prices' | 'indexMinutes'>;

/**
 * The price at which a market with a delivery time settles; before that time, the price as of the
 * last accepted index. It is Σ index × time / Σ time over the minutes of the hour before, half to
 * even; without any the last index.
 */
export function settlementTicks({ terms, prices, indexMinutes }: Settling): Ticks {
  const end = terms.deliveryTime / minuteMs;
  let sum = 0;
  let ms = 0;
  for (const one of indexMinutes) {
    if (one.minute < end - hourMinutes || one.minute >= end) continue;
    sum += one.sum;
    ms += one.ms;
  }
  return ms === 0 ? prices.index : (mulDivHalfEven(sum, 1, ms) as Ticks);
}

/** Whether the hour that determines the delivery price has begun. */
export function isSettling(market: Pick<Market, 'status' | 'terms'>, now: Time): boolean {
  const delivery = deliveryOf(market);
  return delivery !== 0 && now >= delivery - hourMs;
}

/**
 * Whether other terms or another status change the settlement that prices move to now: then the
 * next mark may lie elsewhere.
 */
export function changesSettling(
  market: Pick<Market, 'status' | 'terms'>,
  wanted: Pick<Market, 'status' | 'terms'>,
  now: Time,
): boolean {
  const before = isSettling(market, now) ? deliveryOf(market) : 0;
  return before !== (isSettling(wanted, now) ? deliveryOf(wanted) : 0);
}

/**
 * A price of the market, moved to the settlement price as the hour passes:
 *   ((3,600,000 − e) × price + e × settlement price) / 3,600,000, half to even,
 * where e is the time since the hour began, in milliseconds, at most the hour. As of the last
 * accepted index. Before the hour it is the price itself.
 */
export function movedToSettlement(market: Settling, ticks: Ticks): Ticks {
  const at = market.prices.indexAt;
  if (!isSettling(market, at)) return ticks;
  const elapsed = Math.min(at - (deliveryOf(market) - hourMs), hourMs);
  const settled = settlementTicks(market);
  const moved = (hourMs - elapsed) * ticks + elapsed * settled;
  return mulDivHalfEven(moved, 1, hourMs) as Ticks;
}

/** The index, moved as the mark is: what LIQ-1 compares the mark with. */
export function indexMovedToSettlement(market: Settling): Ticks {
  return movedToSettlement(market, market.prices.index);
}

/**
 * The sums of the minutes after the present index has stood until `now`: until the next index, at
 * most until the market halts without one (PRC-2). Kept are sixty minutes before the present one;
 * while a delivery waits for its price, before the delivery time, however late the price comes.
 */
export function minutesUntil(
  { indexMinutes, prices, terms, dues }: Pick<Market, 'dues'> & Settling,
  now: Time,
): readonly IndexMinute[] {
  const { index, indexAt } = prices;
  const present = Math.floor(now / minuteMs);
  const end = dues.delivery ? terms.deliveryTime / minuteMs : present;
  const minutes = indexMinutes.filter(({ minute }) => minute >= end - hourMinutes);
  if (index === 0) return minutes;
  const until = Math.min(now, indexAt + haltedAgeMs);
  for (let from: number = indexAt; from < until; ) {
    const minute = Math.floor(from / minuteMs);
    const to = Math.min(until, (minute + 1) * minuteMs);
    if (minute >= end - hourMinutes) addTime(minutes, { minute, ms: to - from }, index);
    from = to;
  }
  return minutes;
}

function addTime(
  minutes: IndexMinute[],
  { minute, ms }: Pick<IndexMinute, 'minute' | 'ms'>,
  index: Ticks,
): void {
  const last = minutes.at(-1);
  const isSame = last?.minute === minute;
  const sum = (isSame ? last.sum : 0) + index * ms;
  assert(Number.isSafeInteger(sum), 'the indexes of a minute can be summed');
  const next = { minute, sum, ms: (isSame ? last.ms : 0) + ms };
  if (isSame) minutes[minutes.length - 1] = next;
  else minutes.push(next);
}
