// One side of a fill becomes money and position, in the order of MAR-2: close, release the freeze
// of the opening part, lock collateral, book realised PnL, fee, cut reduce-only orders, deal cover.

import { freezeUp, marginUp, notionalOf, proRataDown, proRataUp } from '../../units/notional.ts';
import type { Lots, Money, Rate, Ticks } from '../../units/units.ts';
import { type Account, balanceOf } from '../account.ts';
import type { Fill } from '../event.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Order } from '../order.ts';
import type { Position } from '../position.ts';
import { touchFigures, touchLevel, touchOrder, touchPosition } from '../undo.ts';
import { cutReduceOnly, dealCover, restingFreeze } from './cover.ts';
import { addEntry, debitFee, debitLoss, payRebate } from './debit.ts';
import { feeOf } from './fees.ts';
import { move, post, unfreeze } from './ledger.ts';
import { closingLots } from './margin.ts';
import { countOpenInterest } from './openInterest.ts';

export type FillTerms = {
  readonly lots: Lots;
  readonly ticks: Ticks;
  readonly feeRate: Rate;
  /** The fee collected from the other side: the bound of a rebate. */
  readonly collected: Money;
};

/** Settles a fill for the account of `order`. The guards have passed (MAR-4). */
export function settleFill(
  exchange: Exchange,
  account: Account,
  position: Position,
  order: Order,
  terms: FillTerms,
): Fill {
  const market = exchange.markets[position.market]!;
  const closing = closingLots(position, order.side, terms.lots);
  const opening = (terms.lots - closing) as Lots;
  const before = position.lots;
  touchPosition(exchange.undo, position);
  touchFigures(exchange.undo, market.figures);
  const pnl =
    closing > 0 ? closePart(exchange, account, position, market, terms.ticks, closing) : 0;
  const released = takeFromOrder(exchange, account, position, order, terms);
  if (opening > 0)
    openPart(exchange, account, position, order, { opening, released, ticks: terms.ticks });
  changeLots(exchange, account, position, market, before);
  if (pnl > 0) post(exchange, account, 'available', pnl as Money);
  else if (pnl < 0) debitLoss(exchange, account, position, -pnl as Money);
  const fee = chargeFee(exchange, account, position, terms, market);
  cutReduceOnly(exchange, position);
  dealCover(exchange, account, position);
  return {
    account: account.id,
    order: order.id,
    pnl: pnl as Money,
    fee,
    balance: balanceOf(account),
    position: position.lots,
  };
}

/**
 * Closes `closing` lots at `ticks`. Entry notional is released pro rata, rounded up, so that what
 * is not released stays in the position and the account never gains by it (UNIT-3):
 * pnl = value at the price − released entry notional, both signed as the position.
 */
function closePart(
  exchange: Exchange,
  account: Account,
  position: Position,
  market: Market,
  ticks: Ticks,
  closing: Lots,
): number {
  const size = Math.abs(position.lots) as Lots;
  const direction = position.lots > 0 ? 1 : -1;
  const entry = closing === size ? position.entry : proRataUp(position.entry, closing, size);
  const collateral =
    closing === size ? position.collateral : proRataDown(position.collateral, closing, size);
  const value = direction * notionalOf(ticks, closing, market.grain);
  position.lots = (position.lots - direction * closing) as Lots;
  position.collateral = (position.collateral - collateral) as Money;
  addEntry(exchange, position, -entry as Money);
  move(exchange, account, { from: 'collateral', to: 'available', amount: collateral });
  return value - entry;
}

/**
 * Takes the filled lots off the order and gives back the freeze of their opening part: covered
 * lots are filled first. A resting order's freeze is priced at its limit, a sweeping one's at the
 * price of the fill.
 */
function takeFromOrder(
  exchange: Exchange,
  account: Account,
  position: Position,
  order: Order,
  terms: FillTerms,
): Money {
  const market = exchange.markets[position.market]!;
  touchOrder(exchange.undo, order);
  order.filled = (order.filled + terms.lots) as Lots;
  const notional = notionalOf(terms.ticks, terms.lots, market.grain);
  order.filledNotional = (order.filledNotional + notional) as Money;
  order.updatedAt = exchange.time;
  // Trading with itself, an account's other order may have ended in the first half of this fill.
  if (order.open === 0) return 0 as Money;
  const covered = Math.min(terms.lots, order.cover) as Lots;
  const opened = (terms.lots - covered) as Lots;
  order.cover = (order.cover - covered) as Lots;
  order.open = (order.open - terms.lots) as Lots;
  order.status = 'PARTIALLY_FILLED';
  let released = 0 as Money;
  if (order.level !== null) {
    touchLevel(exchange.undo, order.level);
    order.level.lots = (order.level.lots - terms.lots) as Lots;
    position.covered = (position.covered - covered) as Lots;
    released = (order.freeze - restingFreeze(exchange, order, order.cover)) as Money;
  } else if (!order.reduceOnly && opened > 0) {
    const due = freezeUp(notionalOf(terms.ticks, opened, market.grain), order.leverage);
    released = Math.min(order.freeze, due) as Money;
  }
  order.freeze = (order.freeze - released) as Money;
  unfreeze(exchange, account, released);
  return released;
}

/** Locks q × p / leverage, rounded up, as collateral, but never more than was released (MAR-2). */
function openPart(
  exchange: Exchange,
  account: Account,
  position: Position,
  order: Order,
  part: { readonly opening: Lots; readonly released: Money; readonly ticks: Ticks },
): void {
  const { grain } = exchange.markets[position.market]!;
  const notional = notionalOf(part.ticks, part.opening, grain);
  const margin = Math.min(marginUp(notional, order.leverage), part.released) as Money;
  position.lots = (position.lots + order.side * part.opening) as Lots;
  position.collateral = (position.collateral + margin) as Money;
  addEntry(exchange, position, (order.side * notional) as Money);
  move(exchange, account, { from: 'available', to: 'collateral', amount: margin });
}

function changeLots(
  exchange: Exchange,
  account: Account,
  position: Position,
  market: Market,
  before: Lots,
): void {
  const { figures } = market;
  figures.positionLots = (figures.positionLots + position.lots - before) as Lots;
  position.updatedAt = exchange.time;
  if (!account.house) countOpenInterest(exchange, market, { before, after: position.lots });
}

function chargeFee(
  exchange: Exchange,
  account: Account,
  position: Position,
  terms: FillTerms,
  market: Market,
): Money {
  const notional = notionalOf(terms.ticks, terms.lots, market.grain);
  const due = feeOf(notional, terms.feeRate);
  if (due >= 0) return debitFee(exchange, account, position, due);
  const paid = payRebate(exchange, account, { due: -due as Money, collected: terms.collected });
  return (0 - paid) as Money;
}
