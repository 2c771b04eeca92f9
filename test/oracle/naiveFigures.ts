// Sums that the oracle computes on each request: equity, maintenance, open interest, which markets
// live. Nothing here changes the state.

import { ceilDiv, most, rateOne, sizeOf } from './exact.ts';
import { weightOf } from './naiveBrackets.ts';
import { movedPrice } from './naiveSettlement.ts';
import type {
  NaiveAccount,
  NaiveMarket,
  NaiveOrder,
  NaivePosition,
  NaiveState,
  NaiveWithdrawal,
} from './naiveState.ts';

export const fundId = 0;

export const fundOf = (state: NaiveState): NaiveAccount => state.accounts[fundId]!;

export const marketOf = (state: NaiveState, id: number): NaiveMarket => state.markets[id]!;

/** PRC-2, SYM-1: positions may be closed, funding settled. */
export function isLive(state: NaiveState, market: NaiveMarket): boolean {
  if (market.status === 'HALT' || market.settled || market.index === 0n) return false;
  return state.time - market.indexAt <= 5000;
}

/**
 * The price that a test "at the index" takes: a live market's index as its mark moves, or the mark.
 */
function priceAt(state: NaiveState, market: NaiveMarket, atIndex: boolean): bigint {
  return atIndex && isLive(state, market) ? movedPrice(market, market.index) : market.mark;
}

export function profitOf(state: NaiveState, position: NaivePosition, atIndex = false): bigint {
  if (position.lots === 0n) return 0n;
  const market = marketOf(state, position.market);
  return priceAt(state, market, atIndex) * position.lots * market.grain - position.entry;
}

export function notionalOf(state: NaiveState, position: NaivePosition, atIndex = false): bigint {
  if (position.lots === 0n) return 0n;
  const market = marketOf(state, position.market);
  return priceAt(state, market, atIndex) * sizeOf(position.lots) * market.grain;
}

/** MAR-8, MAR-10: notional × own rate, rounded up. */
export function maintenanceOf(state: NaiveState, position: NaivePosition, atIndex = false): bigint {
  if (position.lots === 0n) return 0n;
  const market = marketOf(state, position.market);
  const price = priceAt(state, market, atIndex) * market.grain;
  return ceilDiv(price * weightOf(market, position.lots, position.extra), rateOne);
}

/**
 * MAR-9: what a cross position locked at its entry, at the mark, rounded up; at least twice its
 * maintenance.
 */
export function initialMarginOf(state: NaiveState, position: NaivePosition): bigint {
  if (position.lots === 0n) return 0n;
  return most(lockedAtMark(state, position), 2n * maintenanceOf(state, position));
}

/** collateral × notional at the mark / |entry|, at most that notional. */
export function lockedAtMark(state: NaiveState, position: NaivePosition): bigint {
  if (position.lots === 0n) return 0n;
  const notional = notionalOf(state, position);
  const entry = sizeOf(position.entry);
  if (position.collateral >= entry) return notional;
  return ceilDiv(position.collateral * notional, entry);
}

/** Σ initial margin of a cross account. */
export function initialMarginSum(state: NaiveState, account: NaiveAccount): bigint {
  let sum = 0n;
  for (const position of account.positions) sum += initialMarginOf(state, position);
  return sum;
}

/** Whether a price loses no more against the mark than its band. */
export function isNear(state: NaiveState, id: number, side: bigint, ticks: bigint): boolean {
  const { mark, terms } = marketOf(state, id);
  return side * (ticks - mark) * rateOne <= mark * terms.band;
}

export function ordersOf(state: NaiveState, account: number): NaiveOrder[] {
  return state.orders.filter((order) => order.account === account);
}

export function freezesOf(state: NaiveState, account: number): bigint {
  let sum = 0n;
  for (const order of state.orders) if (order.account === account) sum += order.freeze;
  return sum;
}

/** BAL-1. */
export function balanceOf(state: NaiveState, account: NaiveAccount): bigint {
  let sum = account.available + freezesOf(state, account.id);
  for (const { collateral } of account.positions) sum += collateral;
  return sum;
}

/** Balance and unrealised profit of all positions. */
export function equityOf(state: NaiveState, account: NaiveAccount, atIndex = false): bigint {
  let sum = balanceOf(state, account);
  for (const position of account.positions) sum += profitOf(state, position, atIndex);
  return sum;
}

/** Σ maintenance of all positions. */
export function maintenanceSum(state: NaiveState, account: NaiveAccount, atIndex = false): bigint {
  let sum = 0n;
  for (const position of account.positions) sum += maintenanceOf(state, position, atIndex);
  return sum;
}

/** The equity that is tested in a market: that of the account or of an isolated position. */
export function equityFor(
  state: NaiveState,
  account: NaiveAccount,
  market: number,
  atIndex = false,
): bigint {
  if (!account.isolated) return equityOf(state, account, atIndex);
  const position = account.positions[market]!;
  return position.collateral + profitOf(state, position, atIndex);
}

export function maintenanceFor(
  state: NaiveState,
  account: NaiveAccount,
  market: number,
  atIndex = false,
): bigint {
  if (!account.isolated) return maintenanceSum(state, account, atIndex);
  return maintenanceOf(state, account.positions[market]!, atIndex);
}

/** FUND-1: Σ |quantity| of one side, house accounts and the fund left out. */
export function openInterest(state: NaiveState, market: number, side: bigint): bigint {
  let sum = 0n;
  for (const account of state.accounts) {
    const { lots } = account.positions[market]!;
    if (!account.house && lots * side > 0n) sum += sizeOf(lots);
  }
  return sum;
}

/** Best price of a side's resting orders, 0 when there are none. */
export function bestPrice(state: NaiveState, market: number, side: bigint): bigint {
  let best = 0n;
  for (const order of state.orders) {
    if (!order.resting || order.market !== market || order.side !== side) continue;
    if (best === 0n || (order.ticks - best) * side > 0n) best = order.ticks;
  }
  return best;
}

/** MAR-5: the leverage setting, clamped to the market's present maximum. */
export function standingLeverage(market: NaiveMarket, position: NaivePosition): bigint {
  const { maxLeverage } = market.terms;
  const standing = position.leverage === 0n ? 20n : position.leverage;
  return standing < maxLeverage ? standing : maxLeverage;
}

/** MAR-1: opening × price / leverage × 1.005, rounded up. */
export function freezeFor(
  market: NaiveMarket,
  opening: bigint,
  ticks: bigint,
  leverage: bigint,
): bigint {
  return ceilDiv(opening * ticks * market.grain * 1005n, leverage * 1000n);
}

export const isOpen = ({ state }: NaiveWithdrawal): boolean =>
  state !== 'completed' && state !== 'released';

/** What has left balances and may still come back. */
export const pendingOf = ({ vault }: NaiveState): bigint =>
  vault.withdrawals.filter(isOpen).reduce((sum, { amount }) => sum + amount, 0n);

/** BAL-2: balances and funds less entry notional equal the deposits; quantities add up to 0. */
export function conservationFault(state: NaiveState): string | undefined {
  let sum = state.feeRevenue + pendingOf(state) - state.shortfall;
  for (const account of state.accounts) {
    sum += balanceOf(state, account) + account.accrued;
    if (account.available < 0n) return `account ${account.id}: available ${account.available}`;
    for (const position of account.positions) {
      sum -= position.entry;
      if (position.collateral < 0n) return `account ${account.id}: a negative collateral`;
    }
  }
  const owed = state.deposits - state.vault.left;
  if (sum !== owed) return `BAL-2: ${sum} where ${owed} was paid in and not out`;
  for (const { id } of state.markets) {
    let lots = 0n;
    for (const account of state.accounts) lots += account.positions[id]!.lots;
    if (lots !== 0n) return `market ${id}: quantities sum up to ${lots}`;
  }
  return undefined;
}
