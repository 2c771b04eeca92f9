// The gap hole of every market (MAR-10, OPS-8), for metrics and alarms. Finding it looks at every
// position, so the trading thread leaves it to the archivist.

import { type Exchange, marketsOf } from '../engine/views/exchange.ts';
import { gapHoleOf } from '../engine/views/gapHole.ts';
import type { MarketId, Money } from '../units/units.ts';

export type GapHole = { readonly market: MarketId; readonly hole: Money };

/** Of the markets that are not settled. */
export function gapHolesOf(exchange: Exchange): readonly GapHole[] {
  return marketsOf(exchange)
    .filter(({ dues }) => dues.settledAt === 0)
    .map((market) => ({ market: market.id, hole: gapHoleOf(exchange, market) }));
}
