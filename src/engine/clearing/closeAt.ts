// How closing lots of a position at a price becomes money: by a fill (settleFill.ts), or without an
// order by takeover, deleveraging and settlement.

import { assert } from '../../std/assert.ts';
import { notionalOf, proRataDown, proRataUp } from '../../units/notional.ts';
import type { Lots, Money, Ticks } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Position } from '../position.ts';
import { touchFigures, touchPosition } from '../undo.ts';
import { accrueFunding } from './accrueFunding.ts';
import { cutReduceOnly, dealCover } from './cover.ts';
import { addEntry, take } from './debit.ts';
import { addUncovered } from './hold.ts';
import { isFund, payFund } from './insurance.ts';
import { move, post } from './ledger.ts';
import { noteHolder } from './liquidationIndex.ts';
import { surchargeLeft } from './maintenance.ts';
import { markDirty } from './markDirty.ts';
import { countOpenInterest } from './openInterest.ts';
import { noteSmaller } from './pairLots.ts';

/** Pays a realised profit to an account. A profit of the fund first repays `shortfall` (LIQ-4). */
export function gain(exchange: Exchange, account: Account, pnl: Money): void {
  if (isFund(account)) payFund(exchange, pnl);
  else post(exchange, account, 'available', pnl);
}

/** The result of a close: realised PnL, and the released collateral. */
export type Closed = { readonly pnl: Money; readonly released: Money };

const nothingClosed: Closed = { pnl: 0 as Money, released: 0 as Money };

/**
 * Closes `closing` lots at `ticks`:
 *   pnl = value at the price − released entry notional, both with the sign of the position.
 * Entry notional is released pro rata, rounded up, so that the remainder stays in the position and
 * the account never gains by it (UNIT-3).
 */
export function closePart(
  exchange: Exchange,
  account: Account,
  position: Position,
  market: Market,
  ticks: Ticks,
  closing: Lots,
): Closed {
  if (closing === 0) return nothingClosed;
  const size = Math.abs(position.lots) as Lots;
  const direction = position.lots > 0 ? 1 : -1;
  const entry = closing === size ? position.entry : proRataUp(position.entry, closing, size);
  const collateral =
    closing === size ? position.collateral : proRataDown(position.collateral, closing, size);
  const value = direction * notionalOf(ticks, closing, market.grain);
  position.surcharge = surchargeLeft(position, closing);
  position.lots = (position.lots - direction * closing) as Lots;
  position.collateral = (position.collateral - collateral) as Money;
  if (position.attachments !== null) noteSmaller(exchange, position.attachments, position);
  if (position.uncovered > 0) releaseUncovered(exchange, account, position, closing, size);
  addEntry(exchange, position, -entry as Money);
  move(exchange, account, { from: 'collateral', to: 'available', amount: collateral });
  return { pnl: (value - entry) as Money, released: collateral };
}

/** Releases the unified-margin offset of the closed part, pro rata, rounded down (MAR-7). */
function releaseUncovered(
  exchange: Exchange,
  account: Account,
  position: Position,
  closing: Lots,
  size: Lots,
): void {
  const part =
    closing === size ? position.uncovered : proRataDown(position.uncovered, closing, size);
  position.uncovered = (position.uncovered - part) as Money;
  addUncovered(exchange, account, -part);
}

/** The result of closing a part of a position outside the book (closeAt). */
export type CloseResult = {
  readonly pnl: Money;
  /** The unpaid amount of the account's loss. */
  readonly unpaid: Money;
};

/**
 * Closes `lots` of a position at `ticks` without an order: takeover, deleveraging, settlement. The
 * caller must place the unpaid amount of a loss. There is no fee.
 */
export function closeAt(
  exchange: Exchange,
  position: Position,
  lots: Lots,
  ticks: Ticks,
): CloseResult {
  const account = exchange.accounts[position.account]!;
  const market = exchange.markets[position.market]!;
  assert(lots > 0 && lots <= Math.abs(position.lots), 'a close is within its position');
  touchPosition(exchange.undo, position);
  touchFigures(exchange.undo, market.figures);
  const before = position.lots;
  const { pnl, released } = closePart(exchange, account, position, market, ticks, lots);
  changeLots(exchange, account, position, market, before);
  let unpaid = 0;
  if (pnl > 0) gain(exchange, account, pnl);
  else if (pnl < 0) {
    const debit = { kind: 'loss' as const, amount: -pnl as Money, released };
    unpaid = -pnl - take(exchange, account, position, debit);
  }
  cutReduceOnly(exchange, position);
  dealCover(exchange, account, position);
  return { pnl, unpaid: unpaid as Money };
}

/**
 * Opens `lots` (signed) at `ticks` without margin; allowed only for the insurance fund, whose lots
 * have no surcharge (MAR-10).
 */
export function openAt(exchange: Exchange, position: Position, lots: Lots, ticks: Ticks): void {
  const account = exchange.accounts[position.account]!;
  const market = exchange.markets[position.market]!;
  assert(isFund(account), 'only the insurance fund opens a position without margin');
  assert(position.lots * lots >= 0, 'opening goes the way of the position');
  const before = position.lots;
  position.lots = (before + lots) as Lots;
  addEntry(exchange, position, notionalOf(ticks, lots, market.grain));
  changeLots(exchange, account, position, market, before);
}

/** Updates market and account after a position's lots have changed from `before`. */
export function changeLots(
  exchange: Exchange,
  account: Account,
  position: Position,
  market: Market,
  before: Lots,
): void {
  const { figures } = market;
  figures.positionLots = (figures.positionLots + position.lots - before) as Lots;
  position.updatedAt = exchange.time;
  accrueFunding(exchange, market, position, before);
  noteHolder(market, position);
  const awaited = position.closeTriggers > 0 || position.flagged || account.flagged;
  if (awaited && before * position.lots <= 0) exchange.flattened.push(position);
  if (!account.dirty) markDirty(exchange, account);
  if (!account.house) countOpenInterest(exchange, market, { before, after: position.lots });
}
