// The fill check (MAR-4, MAR-4e, MAR-9, FUND-1d): whether one side of a fill may take part.
// operations/judgeEntry.ts checks acceptance, before any fill.

import { isProductAtLeast } from '../../units/mulDiv.ts';
import { marginUp, notionalOf } from '../../units/notional.ts';
import type { Lots, Money, Ticks } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Position } from '../position.ts';
import { coversOwed, coversOwedApart } from './accrueFunding.ts';
import { gapMargin, gapMargins, isIndexDoubtful } from './gapMargin.ts';
import {
  equityAboveInitial,
  initialMarginAfter,
  isWithinBand,
  type OpeningPart,
  openingMultiple,
  topUp,
} from './initialMargin.ts';
import { maintenanceAfter, maintenanceMargin } from './maintenance.ts';
import {
  closingLots,
  equityOf,
  flatElsewhere,
  lossAgainstMark,
  maintenanceOf,
  ownEquityOf,
} from './margin.ts';
import type { MarginStatus } from './marginStatus.ts';
import { openingSurcharge } from './openingSurcharge.ts';

/** A fill as the fill check sees it: before it happens, with its fee. */
export type FillToJudge = OpeningPart & { readonly fee: Money };

/** The fill check of one side. Cost: the account's markets. */
export function fillPasses(
  exchange: Exchange,
  account: Account,
  position: Position,
  fill: FillToJudge,
): boolean {
  const market = exchange.markets[position.market]!;
  if (account.marginMode === 'isolated') return isolatedPasses(exchange, position, market, fill);
  const reduces = closingLots(position, fill.side, fill.lots) === fill.lots;
  const passes = reduces ? reducePasses : addPasses;
  return passes(exchange, account, position, fill);
}

/**
 * A fill that adds exposure (MAR-9): the equity afterwards ≥ Σ initial margin afterwards; and where
 * a gap margin is asked, equity − loss − fee ≥ Σ maintenance + Σ gap margin afterwards (MAR-4b …
 * MAR-4d). At a price worse than the mark the funding owed so far counts as lost (FUND-1d).
 */
function addPasses(
  exchange: Exchange,
  account: Account,
  position: Position,
  fill: FillToJudge,
): boolean {
  const market = exchange.markets[position.market]!;
  const { grain, prices } = market;
  const gain = fill.side * notionalOf((prices.mark - fill.ticks) as Ticks, fill.lots, grain);
  const { side, ticks, leverage } = fill;
  const lots = (fill.lots - closingLots(position, side, fill.lots)) as Lots;
  const surcharge = openingSurcharge(market, account, { side, lots, ticks });
  const own = initialMarginAfter(market, position, { side, lots, leverage, surcharge });
  const free = equityAboveInitial(exchange, account, position) - fill.fee + gain - own;
  if (free < 0 || (gain < 0 && !coversOwed(exchange, account, free))) return false;
  const change = (side * fill.lots) as Lots;
  const { gaps } = gapMargins(exchange, account, position, change);
  if (gaps === 0) return true;
  const after = maintenanceAfterFill(exchange, position, change, surcharge);
  const equity = equityOf(exchange, account) - fill.fee;
  return equity + Math.min(gain, 0) >= after + gaps;
}

/**
 * A fill that only reduces leaves equity above 0, or at least 0 when the account is then flat. At a
 * price worse than the mark it also leaves the funding owed so far (FUND-1d), keeps the margin
 * ratio (MAR-4e), and leaves the gap margin unless its own market is sure and the price within the
 * band of the mark.
 */
function reducePasses(
  exchange: Exchange,
  account: Account,
  position: Position,
  fill: FillToJudge,
): boolean {
  const market = exchange.markets[position.market]!;
  const loss = lossAgainstMark(fill, market.prices.mark, market.grain);
  const change = (fill.side * fill.lots) as Lots;
  const before = equityOf(exchange, account);
  const left = before - loss - fill.fee;
  const rest = (position.lots + change) as Lots;
  if (loss > 0 && !coversOwed(exchange, account, left)) return false;
  if (rest === 0 && flatElsewhere(account, position.market)) return left >= 0;
  if (left <= 0 || loss === 0) return left > 0;
  const maintenance = maintenanceOf(exchange, account);
  const after = {
    equity: left as Money,
    maintenance: maintenanceAfterFill(exchange, position, change, 0n),
  };
  if (!keepsRatio({ equity: before, maintenance }, after)) return false;
  const isSure = !isIndexDoubtful(exchange, market) && gapMargin(exchange, market, rest) === 0;
  if (isSure && isWithinBand(market, fill)) return true;
  const kept = gapMargins(exchange, account, position, change);
  return left >= kept.gaps + kept.maintenance;
}

/**
 * Whether min(2, equity / maintenance) does not fall (MAR-4e); compared without a division. A
 * chain of fills that each keep it keeps it as a whole.
 */
export function keepsRatio(before: MarginStatus, after: MarginStatus): boolean {
  if (after.equity >= openingMultiple * after.maintenance) return true;
  return isProductAtLeast(after.equity, before.maintenance, before.equity, after.maintenance);
}

/** Σ maintenance of an account after the lots of one of its positions have changed. */
function maintenanceAfterFill(
  exchange: Exchange,
  position: Position,
  change: Lots,
  opened: bigint,
): Money {
  const account = exchange.accounts[position.account]!;
  const market = exchange.markets[position.market]!;
  const after = maintenanceAfter(market, position, change, opened);
  const added = after - maintenanceMargin(market, position);
  return (maintenanceOf(exchange, account) + added) as Money;
}

/**
 * An isolated position answers alone (MAR-4, MAR-7). A closing part must leave collateral + PnL −
 * loss above 0, or at least 0 when the position is flat afterwards, and keep the margin ratio
 * (MAR-4e). An opening part must leave its collateral + PnL at the mark at or above its initial
 * margin (MAR-9a). Available pays the fee; an unpaid part of it counts against the position. A fill
 * that changes the side must pass the first check before the second.
 */
function isolatedPasses(
  exchange: Exchange,
  position: Position,
  market: Market,
  fill: FillToJudge,
): boolean {
  const account = exchange.accounts[position.account]!;
  const closing = closingLots(position, fill.side, fill.lots);
  const opening = (fill.lots - closing) as Lots;
  const closes = { ...fill, lots: closing };
  if (closing > 0 && !isolatedCloses(exchange, position, market, closes)) return false;
  if (opening === 0) return true;
  const { mark } = market.prices;
  const { side, ticks } = fill;
  const surcharge = openingSurcharge(market, account, { ...fill, lots: opening });
  const part = { ...fill, lots: opening, surcharge };
  const margin = marginUp(notionalOf(ticks, opening, market.grain), fill.leverage);
  const { available } = account;
  const added = topUp(market, position, part, { margin, available });
  const fee = Math.max(0, fill.fee - (available - added));
  const drift = side * notionalOf((mark - ticks) as Ticks, opening, market.grain);
  const equity = closing > 0 ? 0 : ownEquityOf(market, position);
  const after = equity + margin + added + drift - fee;
  const change = (side * fill.lots) as Lots;
  const maintenance = maintenanceAfter(market, position, change, surcharge);
  const gap = gapMargin(exchange, market, (position.lots + change) as Lots);
  if (after < Math.max(openingMultiple * maintenance, maintenance + gap)) return false;
  if (drift >= 0) return true;
  const loss = lossAgainstMark(closes, mark, market.grain);
  const freed = closing > 0 ? ownEquityOf(market, position) - loss : 0;
  const free = Math.max(0, available - added - fill.fee);
  return coversOwedApart(exchange, position, after + freed + free);
}

function isolatedCloses(
  exchange: Exchange,
  position: Position,
  market: Market,
  fill: FillToJudge,
): boolean {
  const { available } = exchange.accounts[position.account]!;
  const equity = ownEquityOf(market, position);
  const loss = lossAgainstMark(fill, market.prices.mark, market.grain);
  const left = (equity - loss - Math.max(0, fill.fee - available)) as Money;
  const free = Math.max(0, available - fill.fee);
  if (loss > 0 && !coversOwedApart(exchange, position, left + free)) return false;
  if (fill.lots === Math.abs(position.lots)) return left >= 0;
  if (left <= 0 || loss === 0) return left > 0;
  const change = (fill.side * fill.lots) as Lots;
  const maintenance = maintenanceAfter(market, position, change);
  const before = { equity, maintenance: maintenanceMargin(market, position) };
  if (!keepsRatio(before, { equity: left, maintenance })) return false;
  const gap = gapMargin(exchange, market, (position.lots + change) as Lots);
  return gap === 0 || left >= gap + maintenance;
}
