// What must stay in an account, besides maintenance, for moves that are known or to be feared before
// the mark shows them (MAR-4b … MAR-4d): what its positions may lose by the next accepted index, or
// by the delivery of their market.

import { notionalOf, shareUp } from '../../units/notional.ts';
import type { Lots, Ticks } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import { moneyMax } from '../limits.ts';
import { isSettling, jumpRate, liveAgeMs, type Market, settlementTicks } from '../market.ts';
import type { Position } from '../position.ts';
import { maintenanceAfter } from './maintenance.ts';

/**
 * What a position of so many lots may lose by the next index while the present one is older than
 * a live one may be or a jump waits: the largest move that the gate would pass unconfirmed, or
 * what waits to be confirmed where that costs more (MAR-4b). Who trades on such a mark may know it.
 * And what it would lose by a delivery whose hour has begun (MAR-4d).
 */
export function jumpMargin(exchange: Exchange, market: Market, lots: Lots): number {
  const { indexAt, mark, pending } = market.prices;
  const settled = settlementLoss(exchange, market, lots);
  if (exchange.time - indexAt <= liveAgeMs && pending.length === 0) return settled;
  const notional = notionalOf(mark, Math.abs(lots) as Lots, market.grain);
  let worst: number = Math.max(settled, shareUp(notional, jumpRate));
  for (const { ticks } of pending) worst = Math.max(worst, lossAt(market, lots, ticks));
  return worst;
}

/** What a position would lose against the mark if its market were delivered now (MAR-4d), or 0. */
export function settlementLoss(exchange: Exchange, market: Market, lots: Lots): number {
  if (!isSettling(market, exchange.time)) return 0;
  return Math.max(0, lossAt(market, lots, settlementTicks(market)));
}

/** What lots lose from the mark to a price, no more than can be counted: any price may wait. */
function lossAt(market: Market, lots: Lots, ticks: Ticks): number {
  return Math.min(lots * (market.prices.mark - ticks) * market.grain, moneyMax);
}

/**
 * Σ of it over all positions of an account that answers with everything, and their maintenance, once
 * the lots of `changed` have changed by `change` (MAR-4c). Cost: the account's markets.
 */
export function jumpMargins(
  exchange: Exchange,
  account: Account,
  changed: Position,
  change: Lots,
): { readonly jumps: number; readonly maintenance: number } {
  let jumps = 0;
  let maintenance = 0;
  for (const position of account.positions) {
    if (position === undefined) continue;
    const by = (position === changed ? change : 0) as Lots;
    const size = (position.lots + by) as Lots;
    if (size === 0) continue;
    const each = exchange.markets[position.market]!;
    const jump = jumpMargin(exchange, each, size);
    if (jump === 0) continue;
    jumps += jump;
    maintenance += maintenanceAfter(each, position, by);
  }
  return { jumps, maintenance };
}
