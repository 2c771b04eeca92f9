// Whether a market takes an order now: the stricter of the operator's status and the restriction by
// prices decides (SYM-1, SYM-2).

import type { Time } from '../../units/units.ts';
import { type Market, restrictionOf } from '../market.ts';
import type { Rejection } from '../rejection.ts';

/** Why an order is refused: there is no trading, or only reducing orders are allowed. */
export function checkMarketOpen(
  market: Market,
  now: Time,
  onlyReduces: boolean,
): Rejection | undefined {
  if (market.dues.settledAt !== 0) return { reason: 'marketHalted' };
  const restriction = restrictionOf(market, now);
  if (restriction === 'halted') return { reason: 'priceUnavailable' };
  if (market.status === 'HALT') return { reason: 'marketHalted' };
  if (onlyReduces) return undefined;
  if (restriction === 'stale') return { reason: 'priceUnavailable' };
  if (market.status === 'CLOSE' || restriction === 'breaker') return { reason: 'marketReduceOnly' };
  return undefined;
}
