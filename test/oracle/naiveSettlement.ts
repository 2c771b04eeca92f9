// SYM-2c: the price of a delivery, and how prices of its market move to it in the hour before.

import { halfEvenDiv, least } from './exact.ts';
import type { NaiveMarket } from './naiveState.ts';

const minute = 60_000;

/**
 * SYM-2c: the mean by time of the accepted index over the hour before the delivery; each stands
 * until the next, or until its market halts without one; the present one where none did. The last
 * index has stood for no time yet.
 */
export function settlementPrice({ terms, accepted, index }: NaiveMarket): bigint {
  const end = terms.deliveryTime;
  let sum = 0n;
  let counted = 0;
  for (const [at, { time, ticks }] of accepted.entries()) {
    const next = accepted[at + 1];
    if (next === undefined) continue;
    const until = Math.min(next.time, time + 120_000, end);
    const ms = until - Math.max(time, end - 60 * minute);
    if (ms <= 0) continue;
    sum += ticks * BigInt(ms);
    counted += ms;
  }
  return counted === 0 ? index : halfEvenDiv(sum, BigInt(counted));
}

/** A price in the last hour before the delivery, moved to the settlement price with its time. */
export function movedPrice(market: NaiveMarket, price: bigint): bigint {
  const { terms, status, indexAt } = market;
  if (status !== 'CLOSE' || terms.deliveryTime === 0) return price;
  const hour = BigInt(60 * minute);
  const passed = BigInt(indexAt - terms.deliveryTime) + hour;
  if (passed <= 0n) return price;
  const share = least(passed, hour);
  return halfEvenDiv(price * (hour - share) + settlementPrice(market) * share, hour);
}
