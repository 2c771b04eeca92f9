// Who must be tested for liquidation at a tick, without looking at everybody (LIQ-1, PRC-4). Every
// open position stands in a set of its market under a mark until which its account surely holds:
// the account's surplus over maintenance is shared out equally to its positions. Only who has
// crossed that mark is looked at. Derived and conservative: no outcome depends on it.

import { sortedAdd, sortedRemove, sortedUpTo } from '../../std/sortedSet.ts';
import { rateOne } from '../../units/units.ts';
import { type Account, balanceOf } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Position } from '../position.ts';
import { isFund } from './insurance.ts';
import { maintenanceOfLots, unrealizedOf } from './margin.ts';
import { markDirty } from './markDirty.ts';

/** The key of who is looked at whatever the mark. */
const always = -1e15;

/** Lists a position that may have opened. */
export function noteHolder(market: Market, position: Position): void {
  if (position.held) return;
  position.held = true;
  market.risk.holders.push(position);
  market.risk.sorted = false;
}

/** The open positions of a market, by account. Cost: all that were open since the last call. */
export function holdersOf(market: Market): readonly Position[] {
  const { risk } = market;
  const open = risk.holders.filter((position) => {
    if (position.lots === 0) position.held = false;
    return position.held;
  });
  if (!risk.sorted) open.sort((a, b) => a.account - b.account);
  risk.holders = open;
  risk.sorted = true;
  return open;
}

/** After a change of the maintenance rate. */
export function markHoldersDirty(exchange: Exchange, market: Market): void {
  for (const { account } of holdersOf(market)) markDirty(exchange, exchange.accounts[account]!);
}

/**
 * Puts everybody whose figures changed in its place again; gives the open positions of those who
 * fail at the present marks or are flagged. Cost: the accounts that traded, paid or were paid since
 * the last tick.
 */
export function refreshDanger(exchange: Exchange): Position[] {
  const { dirty } = exchange;
  const failing: Position[] = [];
  exchange.dirty = [];
  for (const account of dirty) {
    account.dirty = false;
    if (!isFund(account)) placeAccount(exchange, account, failing);
  }
  return failing;
}

/** Positions of a market whose accounts may fail at its present mark. */
export function endangeredIn(market: Market): Position[] {
  const { mark } = market.prices;
  const { longs, shorts } = market.risk;
  const found = sortedUpTo(longs, -mark);
  return found.concat(sortedUpTo(shorts, mark));
}

function placeAccount(exchange: Exchange, account: Account, failing: Position[]): void {
  const { positions } = account;
  if (account.marginMode === 'isolated') {
    for (const position of positions) {
      if (position !== undefined) placeIsolated(exchange, position, failing);
    }
    return;
  }
  let open = 0;
  let surplus: number = balanceOf(account);
  for (const position of positions) {
    if (position === undefined || position.lots === 0) continue;
    const market = exchange.markets[position.market]!;
    open += 1;
    surplus += unrealizedOf(market, position) - maintenanceOfLots(market, position.lots);
  }
  const share = account.flagged ? -1 : surplus / open;
  for (const position of positions) {
    if (position !== undefined) placePosition(exchange, position, share, failing);
  }
}

function placeIsolated(exchange: Exchange, position: Position, failing: Position[]): void {
  const market = exchange.markets[position.market]!;
  const equity = position.collateral + unrealizedOf(market, position);
  const surplus = equity - maintenanceOfLots(market, position.lots);
  placePosition(exchange, position, position.flagged ? -1 : surplus, failing);
}

/**
 * A lot loses grain × (1 − r) a tick when long and grain × (1 + r) when short; so many ticks away
 * the position's share of the surplus is used up, less two for what rounds. Floating point serves:
 * the key only has to be early. A place that is early enough already is kept, and a new one leaves
 * a quarter to spare, so that who trades all the time seldom moves.
 */
function placePosition(
  exchange: Exchange,
  position: Position,
  share: number,
  failing: Position[],
): void {
  const { lots, dangerSide, dangerKey } = position;
  if (lots === 0) {
    if (dangerSide !== 0) leaveSet(exchange.markets[position.market]!, position);
    return;
  }
  const market = exchange.markets[position.market]!;
  const side = lots > 0 ? 1 : -1;
  const { mark } = market.prices;
  if (share < 0) {
    failing.push(position);
    return movePosition(market, position, side, always);
  }
  const rate = market.terms.maintenanceMarginRate / rateOne;
  const perTick = Math.abs(lots) * market.grain * (1 - side * rate);
  const distance = Math.floor((share / perTick) * (1 - 1e-9)) - 2;
  // Both kinds of keys grow with the distance: −mark + distance, mark + distance.
  const present = dangerKey + side * mark;
  if (dangerSide === side && present > 0 && present <= distance) return;
  const spared = distance > 0 ? Math.ceil(distance * 0.75) : distance;
  movePosition(market, position, side, spared - side * mark);
}

function movePosition(market: Market, position: Position, side: 1 | -1, key: number): void {
  if (position.dangerSide === side && position.dangerKey === key) return;
  if (position.dangerSide !== 0) leaveSet(market, position);
  position.dangerSide = side;
  position.dangerKey = key;
  const { longs, shorts } = market.risk;
  sortedAdd(side > 0 ? longs : shorts, key, position.account, position);
}

function leaveSet(market: Market, position: Position): void {
  const { longs, shorts } = market.risk;
  const from = position.dangerSide > 0 ? longs : shorts;
  sortedRemove(from, position.dangerKey, position.account);
  position.dangerSide = 0;
}
