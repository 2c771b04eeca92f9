// The price band: how far from the mark a LIMIT order may be priced against its own account
// (PRC-6).

import { formatSteps } from '../../units/decimal.ts';
import type { Ticks } from '../../units/units.ts';
import type { Market } from '../market.ts';
import type { Order } from '../order.ts';
import type { Side } from '../orderTypes.ts';
import { markBound } from '../pricing/markBound.ts';
import type { Rejection } from '../rejection.ts';

type Quote = Pick<Order, 'side' | 'ticks'>;

/** BUY: mark × (1 + price band), rounded down; SELL: mark × (1 − price band), rounded up. */
function bandEdge({ prices, terms }: Market, side: Side): Ticks {
  return markBound(prices.mark, side, terms.priceBand);
}

/** Why a price is refused: a BUY above the band, a SELL below it. */
export function checkPriceBand(market: Market, { side, ticks }: Quote): Rejection | undefined {
  const edge = bandEdge(market, side);
  if ((ticks - edge) * side <= 0) return undefined;
  const bound = formatSteps(edge, market.tick);
  return side > 0
    ? { reason: 'priceAboveBand', max: bound }
    : { reason: 'priceBelowBand', min: bound };
}

/** The price, or the edge of the band when the price lies beyond it. */
export function withinPriceBand(market: Market, { side, ticks }: Quote): Ticks {
  const edge = bandEdge(market, side);
  return (side > 0 ? Math.min(ticks, edge) : Math.max(ticks, edge)) as Ticks;
}
