// Turns one side of a fill into money and position, in the order of MAR-2: close, release the
// freeze of the opening part, lock collateral, book realised PnL, fee, cut reduce-only orders,
// distribute cover.

import { freezeUp, marginUp, notionalOf } from '../../units/notional.ts';
import type { Lots, Money, Rate, Ticks } from '../../units/units.ts';
import { type Account, balanceOf } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { Fill } from '../fill.ts';
import type { Market } from '../market.ts';
import type { Order } from '../order.ts';
import type { Position } from '../position.ts';
import { reduceOrder } from '../reduceOrder.ts';
import { touchFigures, touchOrder, touchPosition } from '../undo.ts';
import { changeLots, closePart, gain } from './closeAt.ts';
import { cutReduceOnly, dealCover, restingFreeze } from './cover.ts';
import { addEntry, debitFee, debitLoss, payRebate } from './debit.ts';
import { feeOf } from './fees.ts';
import { addUncovered, heldBy, release } from './hold.ts';
import { topUp } from './initialMargin.ts';
import { move } from './ledger.ts';
import { closingLots } from './margin.ts';
import { openingSurcharge } from './openingSurcharge.ts';
import { countPairLots } from './pairLots.ts';

export type FillTerms = {
  readonly lots: Lots;
  readonly ticks: Ticks;
  readonly feeRate: Rate;
  /** The fee collected from the other side: the bound of a rebate. */
  readonly collected: Money;
};

/** Settles a fill for the account of `order`. The fill checks have passed (MAR-4). */
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
  const closed = closePart(exchange, account, position, market, terms.ticks, closing);
  const released = takeFromOrder(exchange, account, position, order, terms);
  if (opening > 0)
    openPart(exchange, account, position, order, { opening, released, ticks: terms.ticks });
  if (order.legs !== null || order.trigger !== null) {
    countPairLots(exchange, position, order, { closing, opening });
  }
  changeLots(exchange, account, position, market, before);
  const { pnl } = closed;
  if (pnl > 0) gain(exchange, account, pnl);
  else if (pnl < 0) {
    debitLoss(exchange, account, position, { amount: -pnl as Money, released: closed.released });
  }
  const fee = chargeFee(exchange, account, position, terms, market);
  cutReduceOnly(exchange, position);
  dealCover(exchange, account, position);
  return {
    account: account.id,
    order: order.id,
    pnl,
    fee,
    balance: balanceOf(account),
    position: position.lots,
  };
}

/**
 * Subtracts the filled lots from the order and releases the freeze of their opening part: covered
 * lots are filled first. A resting order's freeze counts at its limit, an incoming order's at the
 * price of the fill.
 */
function takeFromOrder(
  exchange: Exchange,
  account: Account,
  position: Position,
  order: Order,
  terms: FillTerms,
): Released {
  const market = exchange.markets[position.market]!;
  touchOrder(exchange.undo, order);
  order.filled = (order.filled + terms.lots) as Lots;
  const notional = notionalOf(terms.ticks, terms.lots, market.grain);
  order.filledNotional = (order.filledNotional + notional) as Money;
  order.updatedAt = exchange.time;
  // When an account trades with itself, the first half of this fill may have ended its other order.
  if (order.open === 0) return nothingReleased;
  const covered = Math.min(terms.lots, order.cover) as Lots;
  const opened = (terms.lots - covered) as Lots;
  order.cover = (order.cover - covered) as Lots;
  reduceOrder(exchange.undo, order, terms.lots);
  order.status = 'PARTIALLY_FILLED';
  let released = 0;
  if (order.level !== null) {
    position.covered = (position.covered - covered) as Lots;
    released = heldBy(order) - restingFreeze(exchange, order, order.cover);
  } else if (!order.reduceOnly && opened > 0) {
    const due = freezeUp(notionalOf(terms.ticks, opened, market.grain), order.leverage);
    released = Math.min(heldBy(order), due);
  }
  if (released === 0) return nothingReleased;
  const money = release(exchange, account, order, released);
  return { money, stoodIn: (released - money) as Money };
}

/** What a fill releases of an order's hold: money, and unified-margin offset. */
type Released = { readonly money: Money; readonly stoodIn: Money };

const nothingReleased: Released = { money: 0 as Money, stoodIn: 0 as Money };

/**
 * Locks q × p / leverage, rounded up, as collateral, but never more than was released (MAR-2). An
 * isolated position takes the rest of its initial margin from available (MAR-9a).
 */
function openPart(
  exchange: Exchange,
  account: Account,
  position: Position,
  order: Order,
  part: { readonly opening: Lots; readonly released: Released; readonly ticks: Ticks },
): void {
  const market = exchange.markets[position.market]!;
  const { side, leverage } = order;
  const notional = notionalOf(part.ticks, part.opening, market.grain);
  const due = marginUp(notional, leverage);
  let margin = Math.min(due, part.released.money) as Money;
  const opening = { side, lots: part.opening, ticks: part.ticks };
  const surcharge = openingSurcharge(market, account, opening);
  if (account.marginMode === 'isolated') {
    const available = account.available - margin;
    const opened = { ...opening, leverage, surcharge };
    margin = (margin + topUp(market, position, opened, { margin, available })) as Money;
  }
  const stoodIn = Math.min(due - margin, part.released.stoodIn) as Money;
  if (stoodIn > 0) {
    position.uncovered = (position.uncovered + stoodIn) as Money;
    addUncovered(exchange, account, stoodIn);
  }
  if (surcharge) position.surcharge += surcharge;
  position.lots = (position.lots + side * part.opening) as Lots;
  position.collateral = (position.collateral + margin) as Money;
  addEntry(exchange, position, (side * notional) as Money);
  move(exchange, account, { from: 'available', to: 'collateral', amount: margin });
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
  const { collected } = terms;
  const paid = payRebate(exchange, account, position, { due: -due as Money, collected });
  return (0 - paid) as Money;
}
