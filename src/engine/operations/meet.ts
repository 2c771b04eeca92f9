// What happens when an incoming order meets a resting one: self-trade prevention, the fill checks
// of both sides, the cap on open interest, then the fill. The sweep of the book calls it, in
// tentative and in committed executions.

import { assert } from '../../std/assert.ts';
import { freezeUp, notionalOf } from '../../units/notional.ts';
import type { Lots, Money, Rate, Ticks } from '../../units/units.ts';
import { type Account, openPositions } from '../account.ts';
import { selfTrade } from '../book/selfTrade.ts';
import { accrueReferrals } from '../clearing/accrueReferral.ts';
import { dealCover } from '../clearing/cover.ts';
import { feeOf, feeRateOf } from '../clearing/fees.ts';
import { fillPasses } from '../clearing/fillPasses.ts';
import { closingLots, lossAgainstMark } from '../clearing/margin.ts';
import { withinOpenInterestCap, withinPositionMax } from '../clearing/openInterest.ts';
import { leverageMaxOf } from '../clearing/openingSurcharge.ts';
import { settleFill } from '../clearing/settleFill.ts';
import { endOrder } from '../endOrder.ts';
import type { Event } from '../event.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Order } from '../order.ts';
import type { CancelReason, SelfTradeMode } from '../orderTypes.ts';
import type { Position } from '../position.ts';
import { workOf } from '../work.ts';

/** The incoming order's side of a sweep, with the sums by which acceptance judges. */
export type Sweep = {
  readonly exchange: Exchange;
  readonly market: Market;
  readonly account: Account;
  readonly position: Position;
  /** The taker's fee rate: 0 where the exchange itself closes. */
  readonly feeRate: Rate;
  /** What the opening parts of the fills must freeze (MAR-1), and their lots. */
  freeze: Money;
  opened: Lots;
  /** Σ losses against the mark, and Σ nominal fees, of the fills. */
  loss: Money;
  fee: Money;
  lots: Lots;
  notional: Money;
};

/** A sweep that has met no order yet. */
export function createSweep(
  terms: Pick<Sweep, 'exchange' | 'market' | 'account' | 'position' | 'feeRate'>,
): Sweep {
  return {
    exchange: terms.exchange,
    market: terms.market,
    account: terms.account,
    position: terms.position,
    feeRate: terms.feeRate,
    freeze: 0 as Money,
    opened: 0 as Lots,
    loss: 0 as Money,
    fee: 0 as Money,
    lots: 0 as Lots,
    notional: 0 as Money,
  };
}

/**
 * The taker's mode decides (ORD-4), but an isolated position never trades with itself (ORD-4b): the
 * gain of one side against the mark would move to available, while the loss of the other side would
 * stay with the position, even beyond its collateral, and the fund would pay it.
 */
function selfTradeModeOf({ marginMode }: Account, { selfTradeMode }: Order): SelfTradeMode {
  return marginMode === 'isolated' && selfTradeMode === 'NONE' ? 'EXPIRE_MAKER' : selfTradeMode;
}

/** Meets one resting order: afterwards it is dead, or the taker is. */
export function meet(sweep: Sweep, taker: Order, maker: Order): void {
  const { exchange, position } = sweep;
  exchange.work += workOf.meeting;
  if (maker.account === taker.account) {
    const ends = selfTrade(selfTradeModeOf(sweep.account, taker));
    if (ends === 'maker' || ends === 'both') cancelMaker(exchange, maker, 'SELF_TRADE');
    if (ends === 'taker' || ends === 'both') cancelTaker(exchange, taker, 'SELF_TRADE');
    if (ends !== 'none') return;
  }
  const lots = Math.min(taker.open, maker.open) as Lots;
  // It was capped on arrival (ORD-6), and its fills since then have reduced order and position
  // equally.
  const reduces = !taker.reduceOnly || closingLots(position, taker.side, lots) === lots;
  assert(reduces, 'a reduce-only order is no larger than its position');
  const makerAccount = exchange.accounts[maker.account]!;
  const makerRate = feeRateOf(exchange, sweep.market, makerAccount, 'maker');
  const fill = { lots, ticks: maker.ticks, makerRate };
  // The bankruptcy price bounds the exchange's own closing orders instead (LIQ-2).
  const own = taker.origin !== 'account';
  const takerVerdict = own ? 'NONE' : judge(sweep, sweep.account, taker, fill, sweep.feeRate);
  if (takerVerdict !== 'NONE') return cancelTaker(exchange, taker, takerVerdict);
  const makerVerdict = judge(sweep, makerAccount, maker, fill, makerRate);
  if (makerVerdict !== 'NONE') return cancelMaker(exchange, maker, makerVerdict);
  sumUp(sweep, taker, fill);
  trade(sweep, makerAccount, taker, maker, fill);
}

/** The next fill, and its maker's fee rate. */
type Match = { readonly lots: Lots; readonly ticks: Ticks; readonly makerRate: Rate };

/** Why this side may not take part in the fill (OI-1, MAR-11, MAR-10, MAR-4); NONE when it may. */
function judge(
  sweep: Sweep,
  account: Account,
  order: Order,
  fill: Match,
  feeRate: Rate,
): CancelReason {
  const { exchange, market } = sweep;
  exchange.work += openPositions(account) * workOf.position;
  const position = account.positions[market.id]!;
  const opening = (fill.lots - closingLots(position, order.side, fill.lots)) as Lots;
  const { side, leverage } = order;
  const opens = { side, lots: opening, ticks: fill.ticks };
  if (!withinOpenInterestCap(market, account, opens)) return 'OI_CAP';
  if (!withinPositionMax(market, account, position, opens)) return 'POSITION_LIMIT';
  if (leverage > leverageMaxOf(market, account, opens)) return 'MARGIN';
  const due = feeOf(notionalOf(fill.ticks, fill.lots, market.grain), feeRate);
  const fee = Math.max(due, 0) as Money;
  const terms = { side, lots: fill.lots, ticks: fill.ticks, fee, leverage };
  return fillPasses(exchange, account, position, terms) ? 'NONE' : 'MARGIN';
}

/** Adds the fill to the sums of the sweep, before the order changes. */
function sumUp(sweep: Sweep, taker: Order, fill: Match): void {
  const { market } = sweep;
  const { grain } = market;
  const notional = notionalOf(fill.ticks, fill.lots, grain);
  const opened = (fill.lots - Math.min(fill.lots, taker.cover)) as Lots;
  if (!taker.reduceOnly && opened > 0) {
    sweep.opened = (sweep.opened + opened) as Lots;
    // A sweep goes from the best price to the worst: for a MARKET order the last fill's is the
    // worst.
    const isMarket = taker.type === 'MARKET';
    const lots = isMarket ? sweep.opened : opened;
    const due = freezeUp(notionalOf(fill.ticks, lots, grain), taker.leverage);
    sweep.freeze = isMarket ? due : ((sweep.freeze + due) as Money);
  }
  const terms = { side: taker.side, lots: fill.lots, ticks: fill.ticks };
  const loss = lossAgainstMark(terms, market.prices.mark, grain);
  sweep.loss = (sweep.loss + loss) as Money;
  const fee = feeOf(notional, sweep.feeRate);
  sweep.fee = (sweep.fee + Math.max(fee, 0)) as Money;
  sweep.lots = (sweep.lots + fill.lots) as Lots;
  sweep.notional = (sweep.notional + notional) as Money;
}

/** Settles both sides, the taker first, and records the trade. */
function trade(sweep: Sweep, makerAccount: Account, taker: Order, maker: Order, fill: Match): void {
  const { exchange, market, account, position } = sweep;
  const { figures } = market;
  const id = drawNumber(exchange);
  const reported = exchange.events.length;
  const liquidation = taker.origin !== 'account';
  const takerTerms = {
    lots: fill.lots,
    ticks: fill.ticks,
    feeRate: sweep.feeRate,
    collected: 0 as Money,
  };
  const takerFill = settleFill(exchange, account, position, taker, takerTerms);
  const makerTerms = {
    lots: fill.lots,
    ticks: fill.ticks,
    feeRate: fill.makerRate,
    collected: takerFill.fee,
  };
  const makerPosition = makerAccount.positions[market.id]!;
  const makerFill = settleFill(exchange, makerAccount, makerPosition, maker, makerTerms);
  figures.tradeId += 1;
  figures.last = fill.ticks;
  if (!liquidation) figures.lastRegular = fill.ticks;
  figures.lastAt = exchange.time;
  exchange.events.push({
    kind: 'traded',
    id,
    market: market.id,
    tradeId: figures.tradeId,
    ticks: fill.ticks,
    lots: fill.lots,
    takerSide: taker.side,
    liquidation,
    taker: takerFill,
    maker: makerFill,
  });
  accrueReferrals(exchange, market.id, { taker: takerFill, maker: makerFill });
  if (exchange.events.length > reported + 1) reportTradeFirst(exchange.events, reported);
  endFilled(exchange, maker);
  endFilled(exchange, taker);
}

/**
 * The settlement may have cut or ended orders because of margin. The events of these orders come
 * after their trade, because an order fills before it ends. Events of money keep their order.
 */
function reportTradeFirst(events: Event[], from: number): void {
  const since = events.splice(from);
  const ofOrders = ({ kind }: Event): boolean => kind === 'orderEnded' || kind === 'orderCut';
  events.push(...since.filter((event) => !ofOrders(event)), ...since.filter(ofOrders));
}

/** A debit of its own fill may have ended it already (BAL-4). */
function endFilled(exchange: Exchange, order: Order): void {
  if (order.open > 0 || order.status !== 'PARTIALLY_FILLED') return;
  endOrder(exchange, order, { status: 'FILLED', reason: 'NONE' });
}

function cancelMaker(exchange: Exchange, maker: Order, reason: CancelReason): void {
  const account = exchange.accounts[maker.account]!;
  endOrder(exchange, maker, { status: 'CANCELED', reason });
  dealCover(exchange, account, account.positions[maker.market]!);
}

function cancelTaker(exchange: Exchange, taker: Order, reason: CancelReason): void {
  endOrder(exchange, taker, { status: 'CANCELED', reason });
}
