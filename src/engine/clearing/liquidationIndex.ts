// The liquidation index: which accounts must be tested for liquidation at a tick, without a look at
// all accounts (LIQ-1, PRC-4). For each open position its market keeps the mark up to which the
// account is certainly safe: the account's surplus over maintenance is divided equally among its
// positions. Only accounts whose mark was crossed are tested. An account that would be safe with
// every long at 0 and every short at its market's reach, twice an earlier mark, has no key. The
// index is derived and conservative: no outcome depends on it.

import { must } from '../../std/assert.ts';
import { sortedAdd, sortedRemove, sortedUpTo } from '../../std/sortedSet.ts';
import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import { insuranceAccount } from '../marginModes.ts';
import type { Market } from '../market.ts';
import type { Position } from '../position.ts';
import { isFund } from './insurance.ts';
import { lossPerTickMax, maintenanceMargin } from './maintenance.ts';
import { marginSurplus, ownEquityOf } from './margin.ts';
import { markDirty } from './markDirty.ts';

/**
 * The maximum number of accounts that get new keys in one command: more than most sweeps meet,
 * fewer than a crash brings.
 */
const updatedPerCommand = 32;

/** The key of a position that is tested at any mark. */
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

/** To be called after a change of the maintenance rate. */
export function markHoldersDirty(exchange: Exchange, market: Market): void {
  for (const { account } of holdersOf(market)) markDirty(exchange, exchange.accounts[account]!);
}

/**
 * Sets new keys for accounts whose figures changed, the latest first and no more than one command
 * may do; the others wait for the next command. It runs after every command, while the records are
 * in the cache: at the next tick each would have to be fetched from memory again.
 */
export function updateSomeKeys(exchange: Exchange): void {
  const { dirty } = exchange;
  for (let i = 0; i < updatedPerCommand && dirty.length > 0; i += 1) updateNextKeys(exchange);
}

/** Sets new keys for all accounts whose figures changed. */
export function updateLiquidationIndex(exchange: Exchange): void {
  while (exchange.dirty.length > 0) updateNextKeys(exchange);
}

/** Takes the accounts that failed or were flagged when their keys were set, since the last call. */
export function takeFailing(exchange: Exchange): Account[] {
  updateLiquidationIndex(exchange);
  const failing = [...exchange.failing];
  exchange.failing.clear();
  return failing;
}

function updateNextKeys(exchange: Exchange): void {
  const account = must(exchange.dirty.pop(), 'an account is out of date');
  account.dirty = false;
  if (isFund(account) || updateKeysOf(exchange, account)) return;
  exchange.failing.add(account);
}

/**
 * Positions of a market whose accounts may fail at its present mark. Cost: those positions; and,
 * each time when the mark reaches the reach, all positions of the market.
 */
export function atRiskIn(market: Market): Position[] {
  const { mark } = market.prices;
  const { longs, shorts, reach } = market.risk;
  const found = sortedUpTo(longs, -mark).concat(sortedUpTo(shorts, mark));
  if (mark < reach) return found;
  setReach(market);
  return found.concat(holdersOf(market).filter(isUnset));
}

const isUnset = ({ account, lots, liquidationSide }: Position): boolean =>
  lots < 0 && liquidationSide === 0 && account !== insuranceAccount;

/** Sets the reach to twice the mark. Shorts without a key must then be tested. */
export function setReach({ prices, risk }: Market): void {
  risk.reach = prices.mark * 2;
}

/**
 * Gives whether the account, or each of its isolated positions, meets its maintenance margin at the
 * present marks and is not flagged.
 */
function updateKeysOf(exchange: Exchange, account: Account): boolean {
  const { positions } = account;
  if (account.marginMode === 'isolated') {
    let stands = true;
    for (const position of positions) {
      if (position !== undefined && !updateIsolated(exchange, position)) stands = false;
    }
    return stands;
  }
  let open = 0;
  let listed = 0;
  let worst = 0;
  for (const position of positions) {
    if (position === undefined) continue;
    if (position.liquidationSide !== 0) listed += 1;
    if (position.lots === 0) continue;
    const market = exchange.markets[position.market]!;
    open += 1;
    worst += worstLoss(market, position);
  }
  const surplus = marginSurplus(exchange, account);
  const outOfReach = !account.flagged && worst <= surplus;
  if (outOfReach && listed === 0) return true;
  const share = account.flagged ? -1 : outOfReach ? Infinity : surplus / open;
  for (const position of positions) {
    if (position !== undefined) updateKey(exchange, position, share);
  }
  return open === 0 || share >= 0;
}

function updateIsolated(exchange: Exchange, position: Position): boolean {
  const { lots, flagged } = position;
  const market = exchange.markets[position.market]!;
  const surplus = ownEquityOf(market, position) - maintenanceMargin(market, position);
  const share = flagged ? -1 : worstLoss(market, position) <= surplus ? Infinity : surplus;
  updateKey(exchange, position, share);
  return lots === 0 || share >= 0;
}

/**
 * The largest loss of an open position before its next test: of a long down to 0, of a short up to
 * the reach.
 */
function worstLoss(market: Market, position: Position): number {
  const { mark } = market.prices;
  const { reach } = market.risk;
  const ticks = position.lots > 0 ? mark : mark < reach ? reach - mark : Infinity;
  // A little more, and one unit for the rounding up of maintenance.
  return ticks * lossPerTickMax(market, position) * (1 + 1e-9) + 1;
}

/**
 * At this distance in ticks the position's share of the surplus is used up, less two ticks for
 * rounding. Floating point is enough: the key must only be early. A key that is early enough
 * already stays, and a new one leaves a reserve of a quarter, so that accounts that trade all the
 * time seldom move. An account with enough surplus for the worst case (an infinite share) needs no
 * key.
 */
function updateKey(exchange: Exchange, position: Position, share: number): void {
  const { lots, liquidationSide, liquidationKey } = position;
  if (lots === 0 || share === Infinity) {
    if (liquidationSide !== 0) removeKey(exchange.markets[position.market]!, position);
    return;
  }
  const market = exchange.markets[position.market]!;
  const side = lots > 0 ? 1 : -1;
  if (share < 0) return setKey(market, position, side, always);
  const { mark } = market.prices;
  const distance = Math.floor((share / lossPerTickMax(market, position)) * (1 - 1e-9)) - 2;
  // Both kinds of keys grow with the distance: −mark + distance, mark + distance.
  const present = liquidationKey + side * mark;
  if (liquidationSide === side && present > 0 && present <= distance) return;
  const spared = distance > 0 ? Math.ceil(distance * 0.75) : distance;
  setKey(market, position, side, spared - side * mark);
}

function setKey(market: Market, position: Position, side: 1 | -1, key: number): void {
  if (position.liquidationSide === side && position.liquidationKey === key) return;
  if (position.liquidationSide !== 0) removeKey(market, position);
  position.liquidationSide = side;
  position.liquidationKey = key;
  const { longs, shorts } = market.risk;
  sortedAdd(side > 0 ? longs : shorts, key, position.account, position);
}

function removeKey(market: Market, position: Position): void {
  const { longs, shorts } = market.risk;
  const from = position.liquidationSide > 0 ? longs : shorts;
  sortedRemove(from, position.liquidationKey, position.account);
  position.liquidationSide = 0;
}
