// MAR-4 and OI-1: who may trade, at acceptance and at each fill.

import { ceilDiv, least, most, rateOne, sizeOf } from './exact.ts';
import { extraLeft, extraOf, isAboveBracket } from './naiveBrackets.ts';
import {
  equityOf,
  freezesOf,
  maintenanceOf,
  maintenanceSum,
  marketOf,
  openInterest,
  profitOf,
} from './naiveFigures.ts';
import { closingPart } from './naiveFill.ts';
import { settlementPrice } from './naiveSettlement.ts';
import type { NaiveAccount, NaiveOrder, NaivePosition, NaiveState } from './naiveState.ts';

export type Fill = { readonly lots: bigint; readonly ticks: bigint };

/** Loss of a fill against the mark: q × max(0, p − m) for BUY, q × max(0, m − p) for SELL. */
function lossOf(state: NaiveState, market: number, side: bigint, { lots, ticks }: Fill): bigint {
  const { mark, grain } = marketOf(state, market);
  return most(0n, side * (ticks - mark)) * lots * grain;
}

/** The nominal fee, 0 where it is a rebate. */
function feeOf(state: NaiveState, market: number, rate: bigint, { lots, ticks }: Fill): bigint {
  return most(0n, ceilDiv(lots * ticks * marketOf(state, market).grain * rate, rateOne));
}

/** A position after lots have changed hands at a price: what closes takes its extra with it. */
function positionAfter(
  state: NaiveState,
  order: Pick<NaiveOrder, 'account' | 'market' | 'side'>,
  { lots, ticks }: Fill,
): NaivePosition {
  const { account, market, side } = order;
  const position = state.accounts[account]!.positions[market]!;
  const closed = closingPart(position.lots, side, lots);
  const opened = { account, market, side, lots: lots - closed, ticks };
  const extra = extraLeft(position, closed) + extraOf(state, opened);
  return { ...position, lots: position.lots + side * lots, extra };
}

/** Σ maintenance with another position in its market. */
function maintenanceWith(state: NaiveState, account: NaiveAccount, changed: NaivePosition): bigint {
  const positions = account.positions.map((position) =>
    position.market === changed.market ? changed : position,
  );
  return maintenanceSum(state, { ...account, positions });
}

/**
 * MAR-4b: while the index is older than a live one may be, or a jump waits, a fill that opens must
 * also leave the largest move that the gate would pass next, a tenth of the notional, or what the
 * waiting one would cost; one that closes at a loss that and the maintenance of what remains.
 */
function gapMargin(state: NaiveState, market: number, lots: bigint): bigint {
  const { mark, grain, indexAt, pending } = marketOf(state, market);
  let worst = settlementLoss(state, market, lots);
  if (state.time - indexAt <= 5000 && pending.length === 0) return worst;
  worst = most(worst, ceilDiv(sizeOf(lots) * mark * grain, 10n));
  for (const { ticks } of pending) {
    worst = most(worst, least(lots * (mark - ticks) * grain, countable));
  }
  return worst;
}

const countable = BigInt(Number.MAX_SAFE_INTEGER);

/** MAR-4d: what a delivery at the mean of its hour so far would cost. */
export function settlementLoss(state: NaiveState, id: number, lots: bigint): bigint {
  const market = marketOf(state, id);
  const { deliveryTime } = market.terms;
  if (market.status !== 'CLOSE' || deliveryTime === 0) return 0n;
  if (state.time < deliveryTime - 3_600_000) return 0n;
  return most(0n, least(lots * (market.mark - settlementPrice(market)) * market.grain, countable));
}

/** MAR-4c: what the positions in other markets must leave, all their maintenance with it. */
function gapsElsewhere(
  state: NaiveState,
  account: NaiveAccount,
  market: number,
): { gaps: bigint; maintenance: bigint } {
  let gaps = 0n;
  let maintenance = 0n;
  for (const position of account.positions) {
    const { lots } = position;
    if (position.market === market || lots === 0n) continue;
    const gap = gapMargin(state, position.market, lots);
    if (gap === 0n) continue;
    gaps += gap;
    maintenance += maintenanceOf(state, position);
  }
  return { gaps, maintenance };
}

function leftAfterLoss(state: NaiveState, position: NaivePosition, loss: bigint): bigint {
  const gap = gapMargin(state, position.market, position.lots);
  return loss === 0n || gap === 0n ? 0n : gap + maintenanceOf(state, position);
}

function isFlatBut(account: NaiveAccount, market: number): boolean {
  return account.positions.every((position) => position.market === market || position.lots === 0n);
}

/** Whether one side of a fill passes the check. */
export function standsFill(
  state: NaiveState,
  order: NaiveOrder,
  fill: Fill,
  feeRate: bigint,
): boolean {
  const account = state.accounts[order.account]!;
  if (account.isolated) return standsIsolatedFill(state, order, fill, feeRate);
  const { lots: held } = account.positions[order.market]!;
  const loss = lossOf(state, order.market, order.side, fill);
  const left = equityOf(state, account) - loss - feeOf(state, order.market, feeRate, fill);
  const closed = closingPart(held, order.side, fill.lots);
  const after = held + order.side * fill.lots;
  if (closed < fill.lots) {
    const needed = maintenanceWith(state, account, positionAfter(state, order, fill));
    const { gaps } = gapsElsewhere(state, account, order.market);
    return left >= needed + gaps + gapMargin(state, order.market, after);
  }
  if (after === 0n && isFlatBut(account, order.market)) return left >= 0n;
  if (left <= 0n || loss === 0n) return left > 0n;
  const elsewhere = gapsElsewhere(state, account, order.market);
  const kept = elsewhere.gaps + elsewhere.maintenance;
  return left >= kept + leftAfterLoss(state, positionAfter(state, order, fill), loss);
}

function standsIsolatedFill(
  state: NaiveState,
  order: NaiveOrder,
  fill: Fill,
  feeRate: bigint,
): boolean {
  const account = state.accounts[order.account]!;
  const position = account.positions[order.market]!;
  const market = marketOf(state, order.market);
  const { ticks } = fill;
  const closed = closingPart(position.lots, order.side, fill.lots);
  const opened = fill.lots - closed;
  const fee = feeOf(state, order.market, feeRate, fill);
  const unpaid = most(0n, fee - account.available);
  let own = position.collateral + profitOf(state, position);
  let held = position.lots;
  if (closed > 0n) {
    const loss = lossOf(state, order.market, order.side, { lots: closed, ticks });
    const flat = closed === sizeOf(held);
    const left = own - loss - unpaid;
    if (flat ? left < 0n : left <= 0n) return false;
    const rest = positionAfter(state, order, { lots: closed, ticks });
    if (left < leftAfterLoss(state, rest, loss)) return false;
    if (flat) {
      own = 0n;
      held = 0n;
    }
  }
  if (opened === 0n) return true;
  const notional = opened * ticks * market.grain;
  const gain = (market.mark - ticks) * order.side * opened * market.grain;
  const left = own + ceilDiv(notional, order.leverage) + gain - unpaid;
  const after = held + order.side * opened;
  const needed = maintenanceOf(state, positionAfter(state, order, fill));
  return left >= needed + gapMargin(state, order.market, after);
}

/** OI-1: whether the opening part of a fill, or of an order, would breach the cap. */
export function breachesCap(
  state: NaiveState,
  order: Pick<NaiveOrder, 'account' | 'market' | 'side'>,
  opening: bigint,
  ticks: bigint,
): boolean {
  if (opening === 0n || state.accounts[order.account]!.house) return false;
  const { mark, grain, terms } = marketOf(state, order.market);
  const side = openInterest(state, order.market, order.side);
  return side * mark * grain + opening * ticks * grain > terms.cap;
}

/** MAR-10: whether the opening part has more leverage than the bracket of its last lot. */
export function fillAboveBracket(state: NaiveState, order: NaiveOrder, fill: Fill): boolean {
  const { account, market, side, leverage } = order;
  const { lots: held } = state.accounts[account]!.positions[market]!;
  const lots = fill.lots - closingPart(held, side, fill.lots);
  return isAboveBracket(state, { account, market, side, lots, ticks: fill.ticks }, leverage);
}

export function fillBreachesCap(state: NaiveState, order: NaiveOrder, fill: Fill): boolean {
  const { lots } = state.accounts[order.account]!.positions[order.market]!;
  const opening = fill.lots - closingPart(lots, order.side, fill.lots);
  return breachesCap(state, order, opening, fill.ticks);
}

/** What an order would do: its simulated fills, what then rests, what it freezes for both. */
export type Plan = {
  readonly order: NaiveOrder;
  readonly fills: readonly Fill[];
  readonly rest: bigint;
  readonly freeze: bigint;
  readonly onlyReduces: boolean;
};

/** The acceptance check with the state before: what all fills would leave to the account. */
export function standsAcceptance(state: NaiveState, plan: Plan): boolean {
  const { order, fills, rest } = plan;
  const account = state.accounts[order.account]!;
  const { makerFee, takerFee } = marketOf(state, order.market).terms;
  const resting = { lots: rest, ticks: order.ticks };
  let loss = rest === 0n ? 0n : lossOf(state, order.market, order.side, resting);
  let fee = rest === 0n ? 0n : feeOf(state, order.market, makerFee, resting);
  for (const fill of fills) {
    loss += lossOf(state, order.market, order.side, fill);
    fee += feeOf(state, order.market, takerFee, fill);
  }
  const { lots: held } = account.positions[order.market]!;
  const after = held + order.side * order.open;
  if (account.isolated) return standsIsolated(state, plan, { loss, fee });
  const left = equityOf(state, account) - loss - fee;
  if (plan.onlyReduces) {
    return after === 0n && isFlatBut(account, order.market) ? left >= 0n : left > 0n;
  }
  return left >= maintenanceSum(state, account) + freezesOf(state, account.id) + plan.freeze;
}

function standsIsolated(
  state: NaiveState,
  { order, freeze, onlyReduces }: Plan,
  { loss, fee }: { loss: bigint; fee: bigint },
): boolean {
  const account = state.accounts[order.account]!;
  const position = account.positions[order.market]!;
  const unpaid = most(0n, fee - (account.available - freeze));
  const own = position.collateral + profitOf(state, position) - loss - unpaid;
  const ticks = order.ticks > 0n ? order.ticks : marketOf(state, order.market).mark;
  const after = positionAfter(state, order, { lots: order.open, ticks });
  if (onlyReduces) return after.lots === 0n ? own >= 0n : own > 0n;
  return own + freeze >= maintenanceOf(state, after);
}

/** Lots of an incoming order that what older orders left of the position covers (MAR-1). */
export function coverOf(
  state: NaiveState,
  order: Pick<NaiveOrder, 'account' | 'market' | 'side' | 'reduceOnly'>,
  lots: bigint,
): bigint {
  const { lots: held } = state.accounts[order.account]!.positions[order.market]!;
  if (order.reduceOnly || held * order.side >= 0n) return 0n;
  let left = sizeOf(held);
  for (const other of state.orders) {
    if (other.account !== order.account || other.market !== order.market) continue;
    if (other.side === order.side && !other.reduceOnly) left -= least(left, other.open);
  }
  return least(lots, left);
}
