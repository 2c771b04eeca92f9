// MAR-4, MAR-4e, MAR-9, MAR-10, MAR-11 and OI-1: who may trade, at acceptance and at each fill.

import { ceilDiv, floorDiv, least, most, rateOne, sizeOf } from './exact.ts';
import { dueToOpen, extraLeft, extraOf, isAboveBracket } from './naiveBrackets.ts';
import {
  equityOf,
  freezesOf,
  initialMarginSum,
  isNear,
  lockedAtMark,
  maintenanceOf,
  maintenanceSum,
  marketOf,
  openInterest,
  profitOf,
} from './naiveFigures.ts';
import { closingPart } from './naiveFill.ts';
import { owedBy } from './naiveFunding.ts';
import { rateOf } from './naiveReferral.ts';
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

/** The gap margin of what would be left of a position, and its maintenance where there is one. */
function gapLeft(state: NaiveState, position: NaivePosition): bigint {
  const gap = gapMargin(state, position.market, position.lots);
  return gap === 0n ? 0n : gap + maintenanceOf(state, position);
}

/** MAR-4e: min(2, equity / maintenance) does not fall. */
function keepsRatio(
  [equity, maintenance]: readonly [bigint, bigint],
  [equityAfter, maintenanceAfter]: readonly [bigint, bigint],
): boolean {
  const twice = equityAfter >= 2n * maintenanceAfter;
  return twice || equityAfter * maintenance >= equity * maintenanceAfter;
}

/** MAR-4e: the index is young, no jump waits, and the price is within the band of the mark. */
function isServed(state: NaiveState, id: number, side: bigint, ticks: bigint): boolean {
  const { indexAt, pending } = marketOf(state, id);
  if (state.time - indexAt > 5000 || pending.length > 0) return false;
  return isNear(state, id, side, ticks);
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
  const { lots: held } = account.positions[order.market]!;
  const closed = closingPart(held, order.side, fill.lots);
  const fee = feeOf(state, order.market, feeRate, fill);
  if (account.isolated) {
    const own = { ...fill, lots: closed };
    if (closed > 0n && !standsIsolatedClose(state, order, own, fee)) return false;
    return closed === fill.lots || standsIsolatedOpening(state, order, fill, fee);
  }
  if (closed < fill.lots) return standsOpening(state, order, fill, fee);
  const loss = lossOf(state, order.market, order.side, fill);
  const before = equityOf(state, account);
  const left = before - loss - fee;
  const after = positionAfter(state, order, fill);
  if (loss > 0n && left < owedBy(state, account, order.market)) return false;
  if (after.lots === 0n && isFlatBut(account, order.market)) return left >= 0n;
  if (left <= 0n || loss === 0n) return left > 0n;
  const maintenance = maintenanceSum(state, account);
  const rest = maintenanceWith(state, account, after);
  if (!keepsRatio([before, maintenance], [left, rest])) return false;
  const ownGap = gapLeft(state, after);
  if (ownGap === 0n && isServed(state, order.market, order.side, fill.ticks)) return true;
  const { gaps, maintenance: elsewhere } = gapsElsewhere(state, account, order.market);
  return left >= gaps + elsewhere + ownGap;
}

/** MAR-9, MAR-4b, MAR-4c: a cross account's fill that adds exposure. */
function standsOpening(state: NaiveState, order: NaiveOrder, fill: Fill, fee: bigint): boolean {
  const account = state.accounts[order.account]!;
  const position = account.positions[order.market]!;
  const { mark, grain } = marketOf(state, order.market);
  const after = positionAfter(state, order, fill);
  const opened = fill.lots - closingPart(position.lots, order.side, fill.lots);
  const others = account.positions.filter(({ market }) => market !== order.market);
  const elsewhere = initialMarginSum(state, { ...account, positions: others });
  const kept = opened === fill.lots ? lockedAtMark(state, position) : 0n;
  const asked = kept + ceilDiv(opened * mark * grain, order.leverage);
  const own = most(asked, 2n * maintenanceOf(state, after));
  const equity = equityOf(state, account) - fee;
  const worth = order.side * (mark - fill.ticks) * fill.lots * grain;
  const owed = worth < 0n ? owedBy(state, account, order.market) : 0n;
  if (equity + worth < elsewhere + own + owed) return false;
  const gaps = gapsElsewhere(state, account, order.market).gaps;
  const all = gaps + gapMargin(state, order.market, after.lots);
  const needed = maintenanceWith(state, account, after) + all;
  return all === 0n || equity + least(0n, worth) >= needed;
}

/** MAR-4, MAR-4e: the closing part of an isolated fill. */
function standsIsolatedClose(
  state: NaiveState,
  order: NaiveOrder,
  fill: Fill,
  fee: bigint,
): boolean {
  const account = state.accounts[order.account]!;
  const position = account.positions[order.market]!;
  const own = position.collateral + profitOf(state, position);
  const loss = lossOf(state, order.market, order.side, fill);
  const left = own - loss - most(0n, fee - account.available);
  const rest = positionAfter(state, order, fill);
  const all = left + most(0n, account.available - fee);
  if (loss > 0n && all < owedBy(state, account, order.market)) return false;
  if (rest.lots === 0n) return left >= 0n;
  if (left <= 0n || loss === 0n) return left > 0n;
  const maintenance = maintenanceOf(state, position);
  if (!keepsRatio([own, maintenance], [left, maintenanceOf(state, rest)])) return false;
  return left >= gapLeft(state, rest);
}

/** MAR-9a: the opening part; the missing part of its initial margin comes from available. */
function standsIsolatedOpening(
  state: NaiveState,
  order: NaiveOrder,
  fill: Fill,
  fee: bigint,
): boolean {
  const account = state.accounts[order.account]!;
  const position = account.positions[order.market]!;
  const { mark, grain } = marketOf(state, order.market);
  const closed = closingPart(position.lots, order.side, fill.lots);
  const opened = fill.lots - closed;
  const before = closed > 0n ? 0n : position.collateral + profitOf(state, position);
  const margin = ceilDiv(opened * fill.ticks * grain, order.leverage);
  const worth = (mark - fill.ticks) * order.side * opened * grain;
  const due = dueToOpen(state, position, { ...order, ...fill, lots: opened });
  const near = isNear(state, order.market, order.side, fill.ticks);
  const added = near ? most(0n, least(due - margin - worth, account.available)) : 0n;
  const unpaid = most(0n, fee - (account.available - added));
  const left = before + margin + worth + added - unpaid;
  const after = positionAfter(state, order, fill);
  const maintenance = maintenanceOf(state, after);
  if (left < maintenance + most(maintenance, gapMargin(state, order.market, after.lots)))
    return false;
  // FUND-1d: with what the closed side gave, and the money that is left.
  const closedAt = { lots: closed, ticks: fill.ticks };
  const given = position.collateral + profitOf(state, position);
  const freed = closed > 0n ? given - lossOf(state, order.market, order.side, closedAt) : 0n;
  const free = most(0n, account.available - added - fee);
  return worth >= 0n || left + freed + free >= owedBy(state, account, order.market);
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

/** MAR-11: whether it would take the account beyond its share of the side's cap. */
export function breachesShare(
  state: NaiveState,
  order: Pick<NaiveOrder, 'account' | 'market' | 'side'>,
  opening: bigint,
  ticks: bigint,
): boolean {
  const account = state.accounts[order.account]!;
  if (opening === 0n || account.house) return false;
  const { mark, grain, terms } = marketOf(state, order.market);
  const held = most(0n, order.side * account.positions[order.market]!.lots);
  const allowed = floorDiv(terms.cap * terms.accountShare, rateOne);
  return (held * mark + opening * ticks) * grain > allowed;
}

/** MAR-10: whether the opening part has more leverage than the bracket of its last lot. */
export function fillAboveBracket(state: NaiveState, order: NaiveOrder, fill: Fill): boolean {
  const { account, market, side, leverage } = order;
  const { lots: held } = state.accounts[account]!.positions[market]!;
  const lots = fill.lots - closingPart(held, side, fill.lots);
  return isAboveBracket(state, { account, market, side, lots, ticks: fill.ticks }, leverage);
}

/** Which bound on positions a fill would breach. */
export function boundBreached(
  state: NaiveState,
  order: NaiveOrder,
  fill: Fill,
): 'OI_CAP' | 'POSITION_LIMIT' | undefined {
  const { lots } = state.accounts[order.account]!.positions[order.market]!;
  const opening = fill.lots - closingPart(lots, order.side, fill.lots);
  if (breachesCap(state, order, opening, fill.ticks)) return 'OI_CAP';
  return breachesShare(state, order, opening, fill.ticks) ? 'POSITION_LIMIT' : undefined;
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
  const { order, fills, rest, onlyReduces } = plan;
  const account = state.accounts[order.account]!;
  const { terms } = marketOf(state, order.market);
  const makerFee = rateOf(state, order.account, terms.makerFee);
  const takerFee = rateOf(state, order.account, terms.takerFee);
  const resting = { lots: rest, ticks: order.ticks };
  const restLoss = rest === 0n ? 0n : lossOf(state, order.market, order.side, resting);
  let loss = restLoss;
  let fee = rest === 0n ? 0n : feeOf(state, order.market, makerFee, resting);
  for (const fill of fills) {
    loss += lossOf(state, order.market, order.side, fill);
    fee += feeOf(state, order.market, takerFee, fill);
  }
  if (onlyReduces) return standsReduction(state, plan, { loss, fee, restLoss });
  if (account.isolated) return standsIsolated(state, plan, { loss, fee, restLoss });
  const left = equityOf(state, account) - loss - fee;
  const held = freezesOf(state, account.id) + plan.freeze;
  return left >= initialMarginSum(state, account) + held;
}

/** An order that only reduces; what would rest at a loss keeps the ratio (MAR-4e). */
function standsReduction(
  state: NaiveState,
  { order, freeze }: Plan,
  { loss, fee, restLoss }: { loss: bigint; fee: bigint; restLoss: bigint },
): boolean {
  const account = state.accounts[order.account]!;
  const position = account.positions[order.market]!;
  const after = positionAfter(state, order, { lots: order.open, ticks: order.ticks });
  const { isolated } = account;
  const charged = isolated ? most(0n, fee - (account.available - freeze)) : fee;
  const equity = isolated
    ? position.collateral + profitOf(state, position)
    : equityOf(state, account);
  const left = equity - loss - charged;
  const flat = after.lots === 0n && (isolated || isFlatBut(account, order.market));
  if (flat) return left >= 0n;
  if (left <= 0n || restLoss === 0n) return left > 0n;
  if (isolated) {
    const before = maintenanceOf(state, position);
    return keepsRatio([equity, before], [left, maintenanceOf(state, after)]);
  }
  const rest = maintenanceWith(state, account, after);
  return keepsRatio([equity, maintenanceSum(state, account)], [left, rest]);
}

/** MAR-9a: available pays the fees, then the rest of the initial margin near the mark. */
function standsIsolated(
  state: NaiveState,
  { order, freeze }: Plan,
  { loss, fee, restLoss }: { loss: bigint; fee: bigint; restLoss: bigint },
): boolean {
  const account = state.accounts[order.account]!;
  const position = account.positions[order.market]!;
  const { lots } = position;
  const free = account.available - freeze;
  const opened = order.open - closingPart(lots, order.side, order.open);
  const ticks = order.ticks > 0n ? order.ticks : marketOf(state, order.market).mark;
  const due = dueToOpen(state, position, { ...order, lots: opened, ticks });
  const near = restLoss === 0n || isNear(state, order.market, order.side, order.ticks);
  const added = near ? most(0n, least(due - freeze + loss, free - fee)) : 0n;
  const own = position.collateral + profitOf(state, position) + freeze - loss;
  const left = own - most(0n, fee - free) + added;
  const after = positionAfter(state, order, { lots: order.open, ticks });
  return left >= 2n * maintenanceOf(state, after);
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
