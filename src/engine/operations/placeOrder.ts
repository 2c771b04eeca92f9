// A new order (ORD-1…7, 9, 11; UNIT-5; OI-1; MAR-1, 4, 10). The checks come in the order of
// rejection.ts, then the tentative execution of enterOrder decides.

import { assert, must } from '../../std/assert.ts';
import { directGet } from '../../std/directMap.ts';
import { mulDivFloor } from '../../units/mulDiv.ts';
import { notionalOf } from '../../units/notional.ts';
import type { Lots, Money, OrderId, Rate, Ticks } from '../../units/units.ts';
import { type Account, isFlagged, positionIn } from '../account.ts';
import { ladderOf } from '../book/book.ts';
import { bestLive } from '../book/sweep.ts';
import { coverLeft } from '../clearing/cover.ts';
import { closingLots, equityOf } from '../clearing/margin.ts';
import {
  heldOfSide,
  positionMax,
  sideOpenInterest,
  withinOpenInterestCap,
  withinPositionMax,
} from '../clearing/openInterest.ts';
import { leverageMaxOf, type OpeningLots } from '../clearing/openingSurcharge.ts';
import { parseGeneratedClientOrderId } from '../clientOrderId.ts';
import type { PlaceOrder } from '../command.ts';
import { endOrder, flushEnded } from '../endOrder.ts';
import type { OrderPlaced } from '../event.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import { lotsMax, openOrdersPerMarketMax, ordersMax } from '../limits.ts';
import { listPair } from '../listPair.ts';
import type { Market } from '../market.ts';
import { createOrder, type Order } from '../order.ts';
import type { Side } from '../orderTypes.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { Pair } from '../pair.ts';
import { markBound } from '../pricing/markBound.ts';
import type { Rejection } from '../rejection.ts';
import type { Trigger } from '../trigger.ts';
import type { Look } from '../views/trial.ts';
import { capturedLeverage } from './capturedLeverage.ts';
import {
  checkLegCapacity,
  checkLegSides,
  checkLegSizes,
  checkPlaces,
  legsOf,
  referenceOfOrder,
} from './checkLegs.ts';
import { checkMarketOpen, effectOf, wouldMeet } from './checkMarketOpen.ts';
import { checkNotional, checkSafeNotional } from './checkNotional.ts';
import { enterOrder } from './enterOrder.ts';
import { draftPair, placeLegs } from './placeLegs.ts';
import { checkPriceBand } from './priceBand.ts';
import { rememberRequest, repeatedRequest } from './rememberRequest.ts';
import type { Place } from './restOrder.ts';

type Terms = {
  readonly lots: Lots;
  readonly limit: Ticks;
  readonly mayRest: boolean;
  readonly leverage: number;
};

/**
 * The origin of an order that no account placed: its trigger, and the number drawn when that fired.
 */
export type Derivation = { readonly trigger: Trigger; readonly number: OrderId };

/** Places an order, or with `dryRun` only gives the result; `look` sees what it would leave. */
export function placeOrder(
  exchange: Exchange,
  command: PlaceOrder,
  dryRun = false,
  look?: Look,
): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const market = exchange.markets[command.market];
  if (market === undefined) return rejected({ reason: 'marketUnknown' });
  const repeated = repeatedRequest(account, command);
  if (repeated !== undefined) return repeated;
  const position = positionIn(account, market.id);
  const derivation = null;
  // Without spreads: building this record by two of them took as long as the checks.
  const submission = { exchange, account, market, position, command, dryRun, look, derivation };
  const outcome = submitOrder(submission);
  if (outcome.kind === 'accepted' && command.idempotencyKey !== '' && !dryRun) {
    const { id, createdAt } = must(outcome.order, 'an accepted outcome has its order');
    rememberRequest(account, command, { kind: 'order', order: id, time: createdAt });
  }
  return outcome;
}

export type Submission = Place & {
  readonly command: PlaceOrder;
  readonly dryRun: boolean;
  /** Of a dry run. */
  readonly look?: Look | undefined;
  /** null: the account placed it. */
  readonly derivation: Derivation | null;
};

/**
 * The order itself, from an account or a trigger: checked, executed tentatively and committed, or
 * rejected without any effect.
 */
export function submitOrder(submission: Submission): Outcome {
  const { exchange, account, market, position, command, dryRun } = submission;
  const terms = termsOf(submission, command);
  const refused = checkOrder(submission, terms);
  if (refused !== undefined) return rejected(refused);
  const { sequence } = exchange;
  const id = submission.derivation?.number ?? drawNumber(exchange);
  const pair = draftPairOf(submission, id);
  exchange.drafted = pair ?? null;
  const order = draftOrder(submission, terms, id);
  const placed = orderPlaced(order);
  const result = enterOrder({
    exchange,
    market,
    account,
    position,
    order,
    limit: terms.limit,
    mayRest: terms.mayRest,
    whole: command.timeInForce === 'FOK' && command.type === 'LIMIT',
    maxSlippage: command.maxSlippage,
    announcement: placed,
    prepare: undefined,
    settle: undefined,
    dryRun,
    look: submission.look,
  });
  exchange.drafted = null;
  if (dryRun || (result !== undefined && result !== 'killed')) exchange.sequence = sequence;
  if (result !== undefined && result !== 'killed') return rejected(result);
  if (result === 'killed' && !dryRun) {
    // From here submitOrder must succeed.
    exchange.committed = true;
    exchange.events.push(placed);
    endOrder(exchange, order, { status: 'REJECTED', reason: 'NONE' });
    flushEnded(exchange);
  }
  if (pair !== undefined && !dryRun) {
    const { selfTradeMode } = order;
    listPair(exchange, pair);
    placeLegs(exchange, pair, command.attached!, { selfTradeMode, status: 'PENDING' });
  }
  return { kind: 'accepted', order };
}

/**
 * The pair of an order that brings its legs; that of a trigger's order was placed with the trigger.
 */
function draftPairOf({ exchange, command }: Submission, id: OrderId): Pair | undefined {
  const { account, market, side, attached } = command;
  if (attached === undefined) return undefined;
  const name = { id, createdAt: exchange.time, kind: 'order' } as const;
  return draftPair(exchange, { name, account, market, side }, attached);
}

/**
 * Quantity, bound and leverage: quoteOrderQty converted (ORD-1), reduce-only capped (ORD-6).
 */
export function termsOf({ exchange, market, position }: Place, command: PlaceOrder): Terms {
  const limit = command.type === 'LIMIT' ? command.ticks : marketBound(market, command.side);
  let lots = command.lots;
  if (command.quote > 0) {
    const best = bestLive(ladderOf(market.book, -command.side as Side));
    const ticks = best?.ticks ?? market.prices.mark;
    lots = (ticks === 0 ? 0 : mulDivFloor(command.quote, 1, ticks * market.grain)) as Lots;
  }
  if (command.reduceOnly) {
    const reducible = closingLots(position, command.side, lots);
    if (reducible > 0) lots = reducible;
  }
  const mayRest =
    command.type === 'LIMIT' && (command.timeInForce === 'GTC' || command.timeInForce === 'GTX');
  return { lots, limit, mayRest, leverage: capturedLeverage(market, position, exchange.time) };
}

/** mark × (1 ± max_market_slippage), but never beyond the price band (ORD-3, PRC-6). */
function marketBound({ prices, terms }: Market, side: Side): Ticks {
  const rate = Math.min(terms.maxMarketSlippage, terms.priceBand) as Rate;
  return markBound(prices.mark, side, rate);
}

/** Whether the order rests, or meets an order within its bound. */
export function meetsAny(market: Market, command: PlaceOrder): boolean {
  const { side, type } = command;
  return type === 'LIMIT' || wouldMeet(market, { side, ticks: marketBound(market, side) });
}

function checkOrder(submission: Submission, terms: Terms): Rejection | undefined {
  const { exchange, account, market, position, command, derivation } = submission;
  const { lots, leverage } = terms;
  const { attached } = command;
  assert(!command.reduceOnly || attached === undefined, 'an order that only reduces has no legs');
  if (exchange.orders.size >= ordersMax) return { reason: 'capacityReached', limit: 'orders' };
  const crowded = attached && checkLegCapacity(exchange, legsOf(attached).length);
  if (crowded !== undefined) return crowded;
  const cover = coverLeft(position, command.side);
  const onlyReduces = command.reduceOnly || (lots > 0 && lots <= cover);
  const effect = terms.mayRest ? effectOf(market, exchange.time, command) : 'takes';
  const closed = checkMarketOpen(market, exchange.time, onlyReduces ? 'reduces' : effect);
  if (closed !== undefined) return closed;
  if (attached !== undefined) {
    const parent = { side: command.side, reference: referenceOfOrder(market, command) };
    const misplaced = checkLegSides(market, parent, attached);
    if (misplaced !== undefined) return misplaced;
  }
  if (lots < 1) return { reason: 'quantityBelowLot' };
  if (lots > lotsMax) return { reason: 'quantityAboveMax' };
  const bounds = onlyReduces
    ? checkSafeNotional(market, command.ticks, lots)
    : checkNotional(market, command.ticks, lots);
  const refused = bounds ?? (attached && checkLegSizes(market, lots, attached));
  if (refused !== undefined) return refused;
  const outside = command.type === 'LIMIT' ? checkPriceBand(market, command) : undefined;
  if (outside !== undefined) return outside;
  // The order of a trigger takes over the id that the trigger has held.
  if (derivation === null && isClientOrderIdTaken(exchange, account, command.clientOrderId)) {
    return { reason: 'clientOrderIdDuplicate' };
  }
  if (command.reduceOnly && closingLots(position, command.side, lots) === 0) {
    return { reason: 'reduceOnlyRejected' };
  }
  if (command.timeInForce === 'GTX' && wouldMeet(market, command)) return { reason: 'wouldMatch' };
  if (terms.mayRest && position.orderCount >= openOrdersPerMarketMax) {
    return { reason: 'openOrdersLimit' };
  }
  const legs = attached === undefined ? 0 : legsOf(attached).length;
  const full =
    legs === 0 ? undefined : checkPlaces(exchange, account, { opening: 0, reducing: legs });
  if (full !== undefined) return full;
  const opening = onlyReduces ? 0 : lots - cover;
  const { side } = command;
  const opens = { side, lots: opening as Lots, ticks: priceOf(market, command) };
  const capped = checkOpening(submission, opens, leverage);
  if (capped !== undefined) return capped;
  // LIQ-1: no order may add risk during a liquidation. AUTH-5a: no order without equity may open,
  // because it would only leave a row.
  if (opening > 0 && (isFlagged(account, position) || !hasEquity(exchange, account))) {
    return { reason: 'marginInsufficient' };
  }
  return undefined;
}

/** Whether the account has any equity at all. */
function hasEquity(exchange: Exchange, account: Account): boolean {
  return account.available > 0 || equityOf(exchange, account) > 0;
}

/** Whether a live order or trigger of the account already has this id, given or derived (ID-2). */
export function isClientOrderIdTaken(exchange: Exchange, account: Account, text: string): boolean {
  if (text === '') return false;
  if (account.clientOrderIds.has(text)) return true;
  const id = parseGeneratedClientOrderId(text);
  if (id === undefined) return false;
  const holders = [directGet(exchange.orders, id), exchange.triggers.get(id)];
  return holders.some((holder) => holder?.account === account.id && holder.clientOrderId === '');
}

/**
 * What would open, by where the open interest of its side stands: side OI at the mark + opening
 * notional within the cap (OI-1), the account's part of it within its share (MAR-11), then no
 * leverage above that of its last lot (MAR-10).
 */
export function checkOpening(
  { market, account, position }: Pick<Place, 'market' | 'account' | 'position'>,
  opening: OpeningLots,
  leverage: number,
): Rejection | undefined {
  const { side } = opening;
  if (!withinOpenInterestCap(market, account, opening)) {
    const current = sideOpenInterest(market, side);
    const cap = market.terms.openInterestCap;
    const requestedDelta = notionalOfOpening(market, opening);
    return { reason: 'openInterestCapExceeded', current, cap, requestedDelta };
  }
  if (!withinPositionMax(market, account, position, opening)) {
    const current = heldOfSide(market, position, side);
    const requestedDelta = notionalOfOpening(market, opening);
    return { reason: 'positionLimitExceeded', current, max: positionMax(market), requestedDelta };
  }
  const max = leverageMaxOf(market, account, opening);
  return leverage > max ? { reason: 'leverageAboveBracket', leverage, max } : undefined;
}

const notionalOfOpening = ({ grain }: Market, { ticks, lots }: OpeningLots): Money =>
  notionalOf(ticks, lots, grain);

/** The price at which an order counts before it trades: its own, or the mark for a MARKET order. */
export function priceOf({ prices }: Market, { ticks }: Pick<OpeningLots, 'ticks'>): Ticks {
  return ticks > 0 ? ticks : prices.mark;
}

/** The order under the number drawn for it, with the legs of the pair that it brings. */
function draftOrder(submission: Submission, terms: Terms, number: OrderId): Order {
  const { exchange, market, command, derivation } = submission;
  const trigger = derivation === null ? null : derivation.trigger;
  const keepsId = trigger !== null && trigger.route === 'order';
  return createOrder({
    id: keepsId ? trigger.id : number,
    account: command.account,
    market: command.market,
    side: command.side,
    type: command.type,
    timeInForce: command.timeInForce === 'GTX' ? 'GTC' : command.timeInForce,
    reduceOnly: command.reduceOnly,
    selfTradeMode: command.selfTradeMode ?? market.terms.selfTradePrevention,
    workingType: command.workingType,
    priceProtect: command.priceProtect,
    origin: 'account',
    trigger,
    legs: exchange.drafted?.legs ?? trigger?.legs ?? null,
    clientOrderId: command.clientOrderId,
    createdAt: keepsId ? trigger.createdAt : exchange.time,
    markAtCreation: trigger === null ? market.prices.mark : trigger.markAtCreation,
    ticks: command.ticks,
    lots: terms.lots,
    leverage: terms.leverage,
    updatedAt: exchange.time,
    priority: number,
  });
}

function orderPlaced(order: Order): OrderPlaced {
  return {
    kind: 'orderPlaced',
    id: order.id,
    account: order.account,
    market: order.market,
    side: order.side,
    ticks: order.ticks,
    lots: order.lots,
    clientOrderId: order.clientOrderId,
  };
}
