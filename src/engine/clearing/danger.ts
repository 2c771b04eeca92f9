// Who must be tested for liquidation at a tick, without looking at everybody (LIQ-1, PRC-4). An open
// position stands in a set of its market under a mark until which its account surely holds: the
// account's surplus over maintenance is shared out equally to its positions. Only who has crossed
// that mark is looked at. Who would hold with every long at 0 and every short at its market's reach,
// twice a mark it had, stands in none.
// Derived and conservative: no outcome depends on it.

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

/** How many accounts a command gives new keys: more than most sweeps meet, fewer than a crash. */
const updatedPerCommand = 32;

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
 * Gives accounts whose figures changed their new keys, the latest first and no more than a command
 * may spend; the others wait for the next. Done after every command, while the records are
 * at hand: by the next tick each would have to be fetched from memory again.
 */
export function updateSomeKeys(exchange: Exchange): void {
  const { dirty } = exchange;
  for (let i = 0; i < updatedPerCommand && dirty.length > 0; i += 1) updateNextKeys(exchange);
}

/** The same for everybody. */
export function updateAllKeys(exchange: Exchange): void {
  while (exchange.dirty.length > 0) updateNextKeys(exchange);
}

/** Takes the accounts that failed or were flagged when their keys were set, since the last call. */
export function takeFailing(exchange: Exchange): Account[] {
  updateAllKeys(exchange);
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
 * Positions of a market whose accounts may fail at its present mark. Cost: those; and each time
 * that the mark has come to the reach, the positions of the market.
 */
export function endangeredIn(market: Market): Position[] {
  const { mark } = market.prices;
  const { longs, shorts, reach } = market.risk;
  const found = sortedUpTo(longs, -mark).concat(sortedUpTo(shorts, mark));
  if (mark < reach) return found;
  setReach(market);
  return found.concat(holdersOf(market).filter(isUnset));
}

const isUnset = ({ account, lots, dangerSide }: Position): boolean =>
  lots < 0 && dangerSide === 0 && account !== insuranceAccount;

/** Puts the reach at twice the mark. Shorts that stood in no set must then be looked at. */
export function setReach({ prices, risk }: Market): void {
  risk.reach = prices.mark * 2;
}

/** Gives whether all that is open stands at the present marks. */
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
    if (position.dangerSide !== 0) listed += 1;
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

/** What an open position can cost before somebody looks: a long to 0, a short to the reach. */
function worstLoss(market: Market, position: Position): number {
  const { mark } = market.prices;
  const { reach } = market.risk;
  const ticks = position.lots > 0 ? mark : mark < reach ? reach - mark : Infinity;
  // A little more, and a unit for what maintenance is rounded up by.
  return ticks * lossPerTickMax(market, position) * (1 + 1e-9) + 1;
}

/**
 * So many ticks away the position's share of the surplus is used up, less two for what rounds.
 * Floating point serves: the key only has to be early. A place that is early enough already is
 * kept, and a new one leaves a quarter to spare, so that who trades all the time seldom moves. Who
 * has enough for the worst (a share without end) needs none.
 */
function updateKey(exchange: Exchange, position: Position, share: number): void {
  const { lots, dangerSide, dangerKey } = position;
  if (lots === 0 || share === Infinity) {
    if (dangerSide !== 0) removeKey(exchange.markets[position.market]!, position);
    return;
  }
  const market = exchange.markets[position.market]!;
  const side = lots > 0 ? 1 : -1;
  if (share < 0) return setKey(market, position, side, always);
  const { mark } = market.prices;
  const distance = Math.floor((share / lossPerTickMax(market, position)) * (1 - 1e-9)) - 2;
  // Both kinds of keys grow with the distance: −mark + distance, mark + distance.
  const present = dangerKey + side * mark;
  if (dangerSide === side && present > 0 && present <= distance) return;
  const spared = distance > 0 ? Math.ceil(distance * 0.75) : distance;
  setKey(market, position, side, spared - side * mark);
}

function setKey(market: Market, position: Position, side: 1 | -1, key: number): void {
  if (position.dangerSide === side && position.dangerKey === key) return;
  if (position.dangerSide !== 0) removeKey(market, position);
  position.dangerSide = side;
  position.dangerKey = key;
  const { longs, shorts } = market.risk;
  sortedAdd(side > 0 ? longs : shorts, key, position.account, position);
}

function removeKey(market: Market, position: Position): void {
  const { longs, shorts } = market.risk;
  const from = position.dangerSide > 0 ? longs : shorts;
  sortedRemove(from, position.dangerKey, position.account);
  position.dangerSide = 0;
}
