// The fill check (MAR-4): whether one side of a fill may take part. operations/enterOrder.ts checks
// acceptance, before any fill.

import { marginUp, notionalOf } from '../../units/notional.ts';
import type { Lots, Money, Ticks } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Side } from '../orderTypes.ts';
import type { Position } from '../position.ts';
import { gapMargin, gapMargins } from './gapMargin.ts';
import { maintenanceAfter, maintenanceMargin } from './maintenance.ts';
import {
  closingLots,
  equityOf,
  flatElsewhere,
  lossAgainstMark,
  marginSurplus,
  ownEquityOf,
} from './margin.ts';
import { openingSurcharge } from './openingSurcharge.ts';

/** A fill as the fill check sees it: before it happens, with its fee. */
export type FillToJudge = {
  readonly side: Side;
  readonly lots: Lots;
  readonly ticks: Ticks;
  readonly fee: Money;
  /** The leverage of the order. */
  readonly leverage: number;
};

/**
 * The fill check (MAR-4): equity − loss − fee ≥ Σ maintenance after the fill when it adds exposure;
 * > 0, or ≥ 0 when it leaves the account flat, when it only reduces. A fill that adds exposure, or
 * that loses against the mark, must also leave the gap margin (MAR-4b, MAR-4c).
 */
export function fillPasses(
  exchange: Exchange,
  account: Account,
  position: Position,
  fill: FillToJudge,
): boolean {
  const market = exchange.markets[position.market]!;
  if (account.marginMode === 'isolated') return isolatedPasses(exchange, position, market, fill);
  const loss = lossAgainstMark(fill, market.prices.mark, market.grain);
  const cost = loss + fill.fee;
  const change = (fill.side * fill.lots) as Lots;
  if (closingLots(position, fill.side, fill.lots) === fill.lots) {
    const equity = equityOf(exchange, account) - cost;
    const leavesFlat = position.lots + change === 0;
    if (leavesFlat && flatElsewhere(account, position.market)) return equity >= 0;
    if (equity <= 0 || loss === 0) return equity > 0;
    const { gaps, maintenance } = gapMargins(exchange, account, position, change);
    return equity >= gaps + maintenance;
  }
  const opened = openedSurcharge(market, account, position, fill);
  const after = maintenanceAfter(market, position, change, opened);
  const added = after - maintenanceMargin(market, position);
  const surplus = marginSurplus(exchange, account) - added;
  return surplus >= cost + gapMargins(exchange, account, position, change).gaps;
}

/**
 * An isolated position answers alone (MAR-4, MAR-7). A closing part must leave collateral + PnL −
 * loss above 0, or at least 0 when the position is flat afterwards. An opening part must leave its
 * collateral + PnL at the mark at or above its maintenance. Available pays the fee; an unpaid part
 * of it counts against the position. A fill that changes the side must pass the first check before
 * the second.
 */
function isolatedPasses(
  exchange: Exchange,
  position: Position,
  market: Market,
  fill: FillToJudge,
): boolean {
  const account = exchange.accounts[position.account]!;
  const { mark } = market.prices;
  const { side, ticks } = fill;
  const closing = closingLots(position, side, fill.lots);
  const opening = (fill.lots - closing) as Lots;
  const fee = Math.max(0, fill.fee - account.available);
  const equity = ownEquityOf(market, position);
  if (closing > 0) {
    const loss = lossAgainstMark({ side, lots: closing, ticks }, mark, market.grain);
    const left = equity - loss - fee;
    const leavesFlat = closing === Math.abs(position.lots);
    if (leavesFlat ? left < 0 : left <= 0) return false;
    const change = (side * closing) as Lots;
    const remaining = (position.lots + change) as Lots;
    const gap = loss === 0 ? 0 : gapMargin(exchange, market, remaining);
    if (gap > 0 && left < gap + maintenanceAfter(market, position, change)) return false;
  }
  if (opening === 0) return true;
  const margin = marginUp(notionalOf(ticks, opening, market.grain), fill.leverage);
  const drift = side * notionalOf((mark - ticks) as Ticks, opening, market.grain);
  const after = (closing > 0 ? 0 : equity) + margin + drift - fee;
  const change = (side * fill.lots) as Lots;
  const gap = gapMargin(exchange, market, (position.lots + change) as Lots);
  const opened = openedSurcharge(market, account, position, fill);
  return after >= maintenanceAfter(market, position, change, opened) + gap;
}

/** The surcharge of the part of a fill that opens (MAR-10). */
function openedSurcharge(
  market: Market,
  account: Account,
  position: Position,
  { side, lots, ticks }: FillToJudge,
): bigint {
  const opening = (lots - closingLots(position, side, lots)) as Lots;
  return openingSurcharge(market, account, { side, lots: opening, ticks });
}
