// The insurance fund's own turn in a liquidation step: deleveraged when it has no equity, cut back
// to what it can bear, unwound on the book (LIQ-3, LIQ-6).

import { ceilDiv, floorDiv, least, most, rateOne, sizeOf } from './exact.ts';
import { bankruptcyPrice } from './naiveBankruptcy.ts';
import { type Deleveraging, deleverage, reduceFund } from './naiveDeleverage.ts';
import {
  equityOf,
  fundId,
  fundOf,
  isLive,
  maintenanceOf,
  marketOf,
  notionalOf,
} from './naiveFigures.ts';
import { closeOnBook } from './naiveOwnOrder.ts';
import { count, type NaivePosition, type NaiveState } from './naiveState.ts';

/** Without equity it is deleveraged; then the part above its balance is closed. */
export function tendFund(state: NaiveState, memory: Deleveraging): void {
  deleverageFund(state, memory);
  cutBack(state, memory);
}

/** Unwinds the fund in every live market that ticked, in the order of symbols. */
export function unwindFund(state: NaiveState, ticked: readonly number[]): void {
  for (const market of ticked) unwind(state, market);
}

/** The fund's live positions, the largest first by a figure, the first of equal ones. */
function livePositions(
  state: NaiveState,
  figure: (state: NaiveState, position: NaivePosition) => bigint,
): NaivePosition[] {
  const positions = fundOf(state).positions.filter(({ lots, market }) => {
    return lots !== 0n && isLive(state, marketOf(state, market));
  });
  return positions.sort((a, b) => {
    const difference = figure(state, b) - figure(state, a);
    return difference === 0n ? a.market - b.market : difference > 0n ? 1 : -1;
  });
}

function deleverageFund(state: NaiveState, memory: Deleveraging): void {
  for (const { market, lots } of livePositions(state, maintenanceOf)) {
    if (equityOf(state, fundOf(state)) > 0n) return;
    count(state, 'fundDeleveraged');
    const price = bankruptcyPrice(state, fundOf(state), market);
    deleverage(state, memory, { account: fundId, market }, sizeOf(lots), price);
  }
}

/** Closes the part of the fund's net notional above its balance at the mark. */
function cutBack(state: NaiveState, memory: Deleveraging): void {
  const fund = fundOf(state);
  for (const position of livePositions(state, notionalOf)) {
    let notional = 0n;
    for (const other of fund.positions) notional += notionalOf(state, other);
    const means = most(0n, least(fund.available, equityOf(state, fund)));
    if (notional <= means) return;
    const { mark, grain } = marketOf(state, position.market);
    const lots = ceilDiv(notional - means, mark * grain);
    reduceFund(state, memory, position.market, least(sizeOf(position.lots), lots));
  }
}

/** A tenth of the resting lots within mark × (1 ∓ base taker fee), reduce-only. */
function unwind(state: NaiveState, market: number): void {
  const { lots } = fundOf(state).positions[market]!;
  if (lots === 0n) return;
  const { mark, terms } = marketOf(state, market);
  const side = lots > 0n ? -1n : 1n;
  const limit =
    side < 0n
      ? ceilDiv(mark * (rateOne - terms.takerFee), rateOne)
      : floorDiv(mark * (rateOne + terms.takerFee), rateOne);
  let depth = 0n;
  for (const order of state.orders) {
    const opposite = order.resting && order.market === market && order.side === -side;
    if (opposite && (order.ticks - limit) * side <= 0n) depth += order.open;
  }
  const quantity = least(sizeOf(lots), depth / 10n);
  if (quantity === 0n) return;
  const fills = closeOnBook(state, fundId, market, quantity, limit);
  if (fills.length > 0) count(state, 'unwound');
}
