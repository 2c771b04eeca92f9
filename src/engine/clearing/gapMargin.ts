// Gap margin: what an account must keep, besides maintenance, against moves that the mark does not
// show yet (MAR-4b … MAR-4d). It is what its positions may lose by the next accepted index, or by
// the delivery of their market.

import { notionalOf, shareUp } from '../../units/notional.ts';
import type { Lots, Ticks } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import { moneyMax } from '../limits.ts';
import { gapRate, liveAgeMs, type Market } from '../market.ts';
import type { Position } from '../position.ts';
import { isSettling, settlementTicks } from '../settlementTicks.ts';
import { maintenanceAfter } from './maintenance.ts';

/**
 * What a position of these lots may lose by the next index, while the present index is older than a
 * live one may be or while a jump waits: the largest move that the gate would pass unconfirmed, or
 * the price that waits for confirmation if that costs more (MAR-4b). An account that trades at such
 * a mark may know that price. It also includes the loss by a delivery whose hour has begun
 * (MAR-4d).
 */
export function gapMargin(exchange: Exchange, market: Market, lots: Lots): number {
  const { mark, pending } = market.prices;
  const settled = settlementLoss(exchange, market, lots);
  if (!isIndexDoubtful(exchange, market)) return settled;
  const notional = notionalOf(mark, Math.abs(lots) as Lots, market.grain);
  let worst: number = Math.max(settled, shareUp(notional, gapRate));
  for (const { ticks } of pending) worst = Math.max(worst, lossAt(market, lots, ticks));
  return worst;
}

/** Whether the index is older than a live one may be, or a jump waits to be confirmed (MAR-4b). */
export function isIndexDoubtful({ time }: Exchange, { prices }: Market): boolean {
  return time - prices.indexAt > liveAgeMs || prices.pending.length > 0;
}

/** What a position would lose against the mark if its market were delivered now (MAR-4d), or 0. */
export function settlementLoss(exchange: Exchange, market: Market, lots: Lots): number {
  if (!isSettling(market, exchange.time)) return 0;
  return Math.max(0, lossAt(market, lots, settlementTicks(market)));
}

/**
 * The loss of lots from the mark to a price, bounded to a safe integer, because the waiting price
 * may be any price.
 */
function lossAt(market: Market, lots: Lots, ticks: Ticks): number {
  return Math.min(lots * (market.prices.mark - ticks) * market.grain, moneyMax);
}

/**
 * Σ gap margin and Σ maintenance over all positions of a cross or unified account, after the lots
 * of `changed` have changed by `change` (MAR-4c). Cost: the account's markets.
 */
export function gapMargins(
  exchange: Exchange,
  account: Account,
  changed: Position,
  change: Lots,
): { readonly gaps: number; readonly maintenance: number } {
  let gaps = 0;
  let maintenance = 0;
  for (const position of account.positions) {
    if (position === undefined) continue;
    const by = (position === changed ? change : 0) as Lots;
    const size = (position.lots + by) as Lots;
    if (size === 0) continue;
    const each = exchange.markets[position.market]!;
    const gap = gapMargin(exchange, each, size);
    if (gap === 0) continue;
    gaps += gap;
    maintenance += maintenanceAfter(each, position, by);
  }
  return { gaps, maintenance };
}
