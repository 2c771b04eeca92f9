// placeOrder as the rules describe it: the checks in their order; then the order is executed on a
// copy of the state until its freeze is what its fills need, and the last copy is the outcome.

import type { PlaceOrder } from '../../src/engine/command.ts';
import { ceilDiv, floorDiv, least, rateOne, sizeOf } from './exact.ts';
import { isAboveBracket } from './naiveBrackets.ts';
import { dealCover } from './naiveCover.ts';
import { endOrder } from './naiveDebit.ts';
import { bestPrice, equityOf, freezeFor, marketOf, standingLeverage } from './naiveFigures.ts';
import type { Tentative } from './naiveFill.ts';
import {
  breachesCap,
  breachesShare,
  coverOf,
  type Fill,
  standsAcceptance,
} from './naiveFillCheck.ts';
import { sweep } from './naiveMatch.ts';
import { copyState, type NaiveMarket, type NaiveOrder, type NaiveState } from './naiveState.ts';

export type NaiveOutcome = {
  /** Of a rejection. */
  readonly reason?: string;
  readonly order?: NaiveOrder;
};

/** Attempts to find the freeze that the fills need (MAR-1a). */
const attemptsMax = 4;

export function placeNaive(state: NaiveState, command: PlaceOrder): NaiveOutcome {
  const order = newOrder(state, command);
  const reason = refusal(state, command, order);
  if (reason !== undefined) return { reason };
  return tryOrder(state, command, order);
}

function newOrder(state: NaiveState, command: PlaceOrder): NaiveOrder {
  const market = marketOf(state, command.market);
  const position = state.accounts[command.account]!.positions[command.market]!;
  const side = BigInt(command.side);
  const wanted = BigInt(command.lots);
  const held = position.lots * side < 0n ? sizeOf(position.lots) : 0n;
  return {
    name: command.clientOrderId,
    account: command.account,
    market: command.market,
    side,
    ticks: BigInt(command.ticks),
    reduceOnly: command.reduceOnly,
    selfTrade: command.selfTradeMode ?? market.terms.selfTrade,
    leverage: leverageNow(state, market, standingLeverage(market, position)),
    open: command.reduceOnly && held > 0n ? least(wanted, held) : wanted,
    filled: 0n,
    cover: 0n,
    freeze: 0n,
    resting: false,
    status: 'NEW',
    cancelReason: 'NONE',
  };
}

/** PRC-3b: while the breaker stands an order captures a leverage of at most 10. */
function leverageNow(state: NaiveState, market: NaiveMarket, standing: bigint): bigint {
  return state.time < market.breakerUntil ? least(standing, 10n) : standing;
}

/**
 * ORD-3: MARKET is bounded at mark × (1 ± slippage), rounded towards the mark, and never beyond the
 * price band (PRC-6).
 */
function limitOf(market: NaiveMarket, command: PlaceOrder): bigint {
  const { mark, terms } = market;
  if (command.type === 'LIMIT') return BigInt(command.ticks);
  const rate = least(terms.slippage, terms.priceBand);
  if (command.side === 1) return floorDiv(mark * (rateOne + rate), rateOne);
  return ceilDiv(mark * (rateOne - rate), rateOne);
}

/** The first check that fails, in the order of the reasons. */
function refusal(state: NaiveState, command: PlaceOrder, order: NaiveOrder): string | undefined {
  const market = marketOf(state, command.market);
  const { terms } = market;
  const cover = coverOf(state, order, order.open);
  const onlyReduces = order.reduceOnly || cover === order.open;
  const age = state.time - market.indexAt;
  if (market.settled) return 'marketHalted';
  if (market.index === 0n || age > 120_000) return 'priceUnavailable';
  if (market.status === 'HALT') return 'marketHalted';
  const isStale = age > 30_000 || market.pending.length > 0;
  if (isStale && !onlyReduces) return 'priceUnavailable';
  if (market.status === 'CLOSE' && !onlyReduces) return 'marketReduceOnly';
  // PRC-3b: while the breaker stands, what meets no order and may rest may open.
  const opensAtRest = rests(command) && !crossesBook(state, order);
  const broken = state.time < market.breakerUntil;
  if (broken && !onlyReduces && !opensAtRest) return 'marketReduceOnly';
  if (order.open < 1n) return 'quantityBelowLot';
  const price = command.type === 'LIMIT' ? order.ticks : market.mark;
  const notional = price * order.open * market.grain;
  if (!onlyReduces && notional < terms.minOrder) return 'notionalBelowMin';
  if (!onlyReduces && notional > terms.maxOrder) return 'notionalAboveMax';
  const outside = command.type === 'LIMIT' ? beyondBand(market, order) : undefined;
  if (outside !== undefined) return outside;
  if (state.orders.some(({ account, name }) => account === order.account && name === order.name)) {
    return 'clientOrderIdDuplicate';
  }
  const held = state.accounts[order.account]!.positions[order.market]!.lots;
  if (order.reduceOnly && held * order.side >= 0n) return 'reduceOnlyRejected';
  const posts = command.timeInForce === 'GTX' && command.type === 'LIMIT';
  if (posts && crossesBook(state, order)) return 'wouldMatch';
  const opening = order.reduceOnly ? 0n : order.open - cover;
  if (breachesCap(state, order, opening, price)) return 'openInterestCapExceeded';
  if (breachesShare(state, order, opening, price)) return 'positionLimitExceeded';
  const opens = { ...order, lots: opening, ticks: price };
  if (isAboveBracket(state, opens, order.leverage)) return 'leverageAboveBracket';
  if (!onlyReduces && (isFlagged(state, order) || isPenniless(state, order))) {
    return 'marginInsufficient';
  }
  return undefined;
}

function crossesBook(state: NaiveState, order: NaiveOrder): boolean {
  const best = bestPrice(state, order.market, -order.side);
  return best !== 0n && (best - order.ticks) * order.side <= 0n;
}

/** PRC-6: a buy above mark × (1 + band), a sell below mark × (1 − band), without any rounding. */
function beyondBand({ mark, terms }: NaiveMarket, order: NaiveOrder): string | undefined {
  const { side, ticks } = order;
  const isBeyond = (ticks * rateOne - mark * (rateOne + side * terms.priceBand)) * side > 0n;
  if (!isBeyond) return undefined;
  return side > 0n ? 'priceAboveBand' : 'priceBelowBand';
}

/** LIQ-1: a flagged account, or isolated position, may not open. */
function isFlagged(state: NaiveState, order: NaiveOrder): boolean {
  const account = state.accounts[order.account]!;
  return account.isolated ? account.positions[order.market]!.flagged : account.flagged;
}

/** AUTH-5a: without any equity nothing is opened. */
function isPenniless(state: NaiveState, order: NaiveOrder): boolean {
  const account = state.accounts[order.account]!;
  return account.available <= 0n && equityOf(state, account) <= 0n;
}

/** The orders that it may meet, best first, oldest first at a price. */
function makersOf(state: NaiveState, order: NaiveOrder, limit: bigint): NaiveOrder[] {
  return state.orders
    .filter(({ resting, market, side, ticks }) => {
      if (!resting || market !== order.market || side === order.side) return false;
      return (ticks - limit) * order.side <= 0n;
    })
    .sort((a, b) => Number((a.ticks - b.ticks) * order.side));
}

/**
 * The freeze that a plain walk of the book expects: fills of all makers within the limit, guards
 * and caps left out. Where it meets its own account the mode decides whether it continues (ORD-4).
 */
function walk(state: NaiveState, command: PlaceOrder, order: NaiveOrder, limit: bigint): bigint {
  const market = marketOf(state, order.market);
  let left = order.open;
  let cover = coverOf(state, order, order.open);
  let freeze = 0n;
  let uncovered = 0n;
  let worst = 0n;
  let ended = false;
  for (const maker of makersOf(state, order, limit)) {
    const meetsItself = maker.account === order.account && order.selfTrade !== 'NONE';
    ended = meetsItself && order.selfTrade !== 'EXPIRE_MAKER' && left > 0n;
    if (ended) break;
    if (meetsItself) continue;
    const lots = least(left, maker.open);
    if (lots === 0n) break;
    const covered = least(cover, lots);
    cover -= covered;
    left -= lots;
    freeze += freezeFor(market, lots - covered, maker.ticks, order.leverage);
    uncovered += lots - covered;
    if (lots > covered) worst = maker.ticks;
  }
  const isMarket = command.type === 'MARKET';
  if (isMarket) freeze = freezeFor(market, uncovered, worst, order.leverage);
  if (rests(command) && !ended)
    freeze += freezeFor(market, left - cover, order.ticks, order.leverage);
  return order.reduceOnly ? 0n : freeze;
}

const rests = ({ type, timeInForce }: PlaceOrder): boolean =>
  type === 'LIMIT' && (timeInForce === 'GTC' || timeInForce === 'GTX');

/** ORD-2a: killed or against an empty book: a row, and nothing touched. */
const killed = (order: NaiveOrder): NaiveOutcome => ({ order: { ...order, status: 'REJECTED' } });

function tryOrder(state: NaiveState, command: PlaceOrder, order: NaiveOrder): NaiveOutcome {
  const limit = limitOf(marketOf(state, order.market), command);
  const makers = makersOf(state, order, limit);
  if (command.type === 'MARKET' && makers.length === 0) return killed(order);
  const within = makers.reduce((lots, maker) => lots + maker.open, 0n);
  if (command.timeInForce === 'FOK' && within < order.open) return killed(order);
  const { available } = state.accounts[order.account]!;
  let freeze = walk(state, command, order, limit);
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    // The walk may expect too much: the tentative execution shows what the fills really need.
    freeze = least(freeze, available);
    const tried = attemptOrder(state, { command, order, limit, freeze });
    const settled = tried.needed === freeze || tried.needed > available;
    const partial = tried.order.filled < order.open;
    if (settled && stopsWithNothing(command, tried)) return { reason: 'marginInsufficient' };
    if (settled && command.timeInForce === 'FOK' && partial) return killed(order);
    if (tried.needed === freeze) return accept(state, order, tried);
    freeze = tried.needed;
  }
  return { reason: 'marginInsufficient' };
}

type Attempt = {
  readonly command: PlaceOrder;
  readonly order: NaiveOrder;
  readonly limit: bigint;
  readonly freeze: bigint;
};

type Tried = {
  readonly copy: NaiveState;
  readonly order: NaiveOrder;
  readonly fills: readonly Fill[];
  readonly rest: bigint;
  readonly freeze: bigint;
  readonly needed: bigint;
};

/** One attempt on a copy: freeze, match, rest. */
function attemptOrder(state: NaiveState, attempt: Attempt): Tried {
  const { command, limit, freeze } = attempt;
  const copy = copyState(state);
  const order = { ...attempt.order, freeze };
  const cover = coverOf(state, order, order.open);
  const isMarket = command.type === 'MARKET';
  const tentative: Tentative = { cover, needed: 0n, uncovered: 0n, worst: 0n };
  copy.accounts[order.account]!.available -= freeze;
  copy.orders.push(order);
  dealCover(copy, order.account, order.market);
  const fills = sweep(copy, { order, limit, own: false, tentative });
  const market = marketOf(copy, order.market);
  const rest = rests(command) ? order.open : 0n;
  let needed = isMarket
    ? freezeFor(market, tentative.uncovered, tentative.worst, order.leverage)
    : tentative.needed;
  if (order.reduceOnly) needed = 0n;
  else if (rest > 0n)
    needed += freezeFor(market, rest - tentative.cover, order.ticks, order.leverage);
  const touched = order.filled > 0n;
  if (order.status === 'NEW' && touched) order.status = 'PARTIALLY_FILLED';
  if (rest > 0n) order.resting = true;
  else finish(copy, command, order);
  if (needed === freeze) dealCover(copy, order.account, order.market);
  return { copy, order, fills, rest, freeze, needed };
}

/** An order that does not rest: it has filled, was ended on the way, or its remainder ends. */
function finish(copy: NaiveState, command: PlaceOrder, order: NaiveOrder): void {
  const cancelled = order.status === 'CANCELED';
  if (order.open === 0n && !cancelled) {
    order.status = 'FILLED';
    copy.orders = copy.orders.filter((other) => other !== order);
    copy.accounts[order.account]!.available += order.freeze;
    order.freeze = 0n;
  } else if (!cancelled) {
    endOrder(copy, order, command.type === 'MARKET' ? 'MARKET' : 'IOC');
  }
}

/** MAR-4a: the guard stopped it before it filled anything, or a FOK before it filled whole. */
function stopsWithNothing({ timeInForce }: PlaceOrder, { order, fills }: Tried): boolean {
  const stopped = order.status === 'CANCELED' && order.cancelReason === 'MARGIN';
  return stopped && (timeInForce === 'FOK' || fills.length === 0);
}

/** The acceptance check uses the state before; then the tried fills are the real ones. */
function accept(state: NaiveState, order: NaiveOrder, tried: Tried): NaiveOutcome {
  const cover = coverOf(state, order, order.open);
  const onlyReduces = order.reduceOnly || cover === order.open;
  const { fills, rest, freeze } = tried;
  if (!standsAcceptance(state, { order, fills, rest, freeze, onlyReduces })) {
    return { reason: 'marginInsufficient' };
  }
  Object.assign(state, tried.copy);
  return { order: tried.order };
}
