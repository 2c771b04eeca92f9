// MAR-2: the effect of one fill, takeover, deleveraging or delivery on one account. Checks and
// matching are in other files.

import { ceilDiv, floorDiv, least, most, rateOne, signOf, sizeOf } from './exact.ts';
import { dueToOpen, extraLeft, extraOf } from './naiveBrackets.ts';
import { cutReduceOnly, dealCover } from './naiveCover.ts';
import {
  endOrder,
  fundEarns,
  fundPays,
  intoShortfall,
  takeLoss,
  takePayment,
} from './naiveDebit.ts';
import { freezeFor, fundId, isNear, marketOf } from './naiveFigures.ts';
import type { NaiveAccount, NaiveOrder, NaiveState } from './naiveState.ts';

/**
 * The freeze that the incoming order got for its fills, and the freeze that they needed (MAR-1a).
 */
export type Tentative = {
  /** The rest of its first cover, which serves the lots filled first (MAR-1). */
  cover: bigint;
  /** The need of the fills so far, each at its price. */
  needed: bigint;
  /** Of MARKET the lots without cover and the worst price count. */
  uncovered: bigint;
  worst: bigint;
};

export type Leg = {
  readonly account: number;
  readonly market: number;
  readonly side: bigint;
  readonly lots: bigint;
  readonly ticks: bigint;
  readonly order?: NaiveOrder;
  readonly tentative?: Tentative;
};

export type Closed = { readonly pnl: bigint; readonly released: bigint; readonly opened: bigint };

/** The part of `lots` that closes the account's position. */
export function closingPart(held: bigint, side: bigint, lots: bigint): bigint {
  return held * side < 0n ? least(lots, sizeOf(held)) : 0n;
}

/** Step 1: entry notional and collateral released pro rata, against the account (UNIT-3). */
function close(state: NaiveState, leg: Leg): { pnl: bigint; released: bigint; closed: bigint } {
  const account = state.accounts[leg.account]!;
  const position = account.positions[leg.market]!;
  const size = sizeOf(position.lots);
  const closed = closingPart(position.lots, leg.side, leg.lots);
  if (closed === 0n) return { pnl: 0n, released: 0n, closed };
  const whole = closed === size;
  const entry = whole ? position.entry : ceilDiv(position.entry * closed, size);
  const released = whole ? position.collateral : floorDiv(position.collateral * closed, size);
  const value = -leg.side * leg.ticks * closed * marketOf(state, leg.market).grain;
  position.extra = extraLeft(position, closed);
  position.lots += leg.side * closed;
  position.entry -= entry;
  position.collateral -= released;
  account.available += released;
  return { pnl: value - entry, released, closed };
}

/** Step 2: the order returns the freeze of its uncovered fills; cover serves first. */
function release(state: NaiveState, leg: Leg): bigint {
  const { order, tentative, lots } = leg;
  if (order === undefined) return 0n;
  if (order.status === 'CANCELED') {
    // A trade with itself whose first side could only be paid with this order's freeze.
    order.filled += lots;
    return 0n;
  }
  const covered = least((tentative ?? order).cover, lots);
  (tentative ?? order).cover -= covered;
  order.open -= lots;
  order.filled += lots;
  const before = order.freeze;
  order.freeze = freezeAfter(state, leg, lots - covered);
  const released = before - order.freeze;
  state.accounts[leg.account]!.available += released;
  if (tentative === undefined && order.open === 0n) {
    order.status = 'FILLED';
    state.orders = state.orders.filter((other) => other !== order);
  }
  return released;
}

function freezeAfter(state: NaiveState, leg: Leg, uncovered: bigint): bigint {
  const order = leg.order!;
  const market = marketOf(state, leg.market);
  if (order.reduceOnly) return 0n;
  if (leg.tentative === undefined) {
    return freezeFor(market, order.open - order.cover, order.ticks, order.leverage);
  }
  const { tentative } = leg;
  const due = freezeFor(market, uncovered, leg.ticks, order.leverage);
  tentative.needed += due;
  tentative.uncovered += uncovered;
  // Fills only get worse.
  if (uncovered > 0n) tentative.worst = leg.ticks;
  return most(0n, order.freeze - due);
}

/**
 * Step 3: what opens locks its margin, at most what step 2 gave back, and isolated the rest of its
 * margin at the mark from available (MAR-9a); the fund locks nothing.
 */
function open(state: NaiveState, leg: Leg, opened: bigint, given: bigint): void {
  if (opened === 0n) return;
  const account = state.accounts[leg.account]!;
  const position = account.positions[leg.market]!;
  const { mark, grain } = marketOf(state, leg.market);
  const notional = opened * leg.ticks * grain;
  const opening = { ...leg, lots: opened };
  const due = dueToOpen(state, position, opening);
  position.extra += extraOf(state, opening);
  position.lots += leg.side * opened;
  position.entry += leg.side * notional;
  if (leg.order === undefined) return;
  let locked = least(ceilDiv(notional, leg.order.leverage), given);
  if (account.isolated) {
    const worth = leg.side * (mark - leg.ticks) * opened * grain;
    const missing = due - locked - worth;
    const near = isNear(state, leg.market, leg.side, leg.ticks);
    if (near) locked += most(0n, least(missing, account.available - locked));
  }
  account.available -= locked;
  position.collateral += locked;
}

/** Steps 1 to 3. */
export function changePosition(state: NaiveState, leg: Leg): Closed {
  const { pnl, released, closed } = close(state, leg);
  const given = release(state, leg);
  open(state, leg, leg.lots - closed, given);
  return { pnl, released, opened: leg.lots - closed };
}

/** Step 4: a profit is credited, a loss debited. Gives the unpaid amount of the loss. */
export function bookProfit(state: NaiveState, leg: Leg, closed: Closed): bigint {
  const account = state.accounts[leg.account]!;
  const { pnl, released } = closed;
  if (pnl < 0n) return takeLoss(state, { account, market: leg.market, amount: -pnl }, released);
  if (account.id === fundId) fundEarns(state, pnl);
  else account.available += pnl;
  return 0n;
}

/** Step 5: the fee, or a rebate from the fee of the same fill (MAR-3). Gives the paid amount. */
export function bookFee(state: NaiveState, leg: Leg, rate: bigint, rebateMax: bigint): bigint {
  const account = state.accounts[leg.account]!;
  const notional = leg.lots * leg.ticks * marketOf(state, leg.market).grain;
  if (rate < 0n) {
    const rebate = least(floorDiv(notional * -rate, rateOne), rebateMax);
    account.available += rebate;
    state.feeRevenue -= rebate;
    marketOf(state, leg.market).minuteFees -= rebate;
    return -rebate;
  }
  const amount = ceilDiv(notional * rate, rateOne);
  const paid = amount - takePayment(state, { account, market: leg.market, amount });
  state.feeRevenue += paid;
  marketOf(state, leg.market).minuteFees += paid;
  return paid;
}

/** Step 6: reduce-only orders are cut, cover is dealt again. */
export function followPosition(state: NaiveState, leg: Pick<Leg, 'account' | 'market'>): void {
  cutReduceOnly(state, leg.account, leg.market);
  dealCover(state, leg.account, leg.market);
}

/** One side of a trade; the fund pays the unpaid amount of a loss, and the rest is shortfall. */
export function settleFill(
  state: NaiveState,
  leg: Leg,
  fee: { readonly rate: bigint; readonly rebateMax: bigint },
): bigint {
  const closed = changePosition(state, leg);
  const unpaid = bookProfit(state, leg, closed);
  if (leg.account === fundId) intoShortfall(state, unpaid);
  else intoShortfall(state, fundPays(state, unpaid));
  const paid = bookFee(state, leg, fee.rate, fee.rebateMax);
  followPosition(state, leg);
  return paid;
}

/**
 * One side of a takeover, deleveraging or delivery: no order, no fee. Gives profit and unpaid
 * amount.
 */
export function settleClose(state: NaiveState, leg: Leg): { pnl: bigint; unpaid: bigint } {
  const closed = changePosition(state, leg);
  const unpaid = bookProfit(state, leg, closed);
  followPosition(state, leg);
  return { pnl: closed.pnl, unpaid };
}

export const directionOf = (account: NaiveAccount, market: number): bigint =>
  signOf(account.positions[market]!.lots);

/** Ends every order of an account, on one market or on all. */
export function endOrders(
  state: NaiveState,
  account: number,
  market: number | undefined,
  reason: string,
): void {
  for (const order of [...state.orders]) {
    if (order.account !== account) continue;
    if (market === undefined || order.market === market) endOrder(state, order, reason);
  }
}
