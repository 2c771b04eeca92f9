// What must hold after every command of a storm: the ledger's rows sum up to the balances (BAL-3),
// a rejection changes nothing, the fill check and initial margin (MAR-4, MAR-9) hold seen from
// outside, there is no unpaid amount that the fund would have to pay, except where prices moved,
// and no account with a position that can be closed is below zero (LIQ-5). After every fourth: the
// full invariants.

import { applyCommand, testOrder } from '../../src/engine/apply.ts';
import { isFund } from '../../src/engine/clearing/insurance.ts';
import { equityOf, maintenanceOf } from '../../src/engine/clearing/margin.ts';
import { marginStatusOf, subjectOf } from '../../src/engine/clearing/marginStatus.ts';
import type { Command, PlaceOrder } from '../../src/engine/command.ts';
import type { Event, Traded } from '../../src/engine/event.ts';
import type { Fill } from '../../src/engine/fill.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import { isMarketLive } from '../../src/engine/market.ts';
import type { Order } from '../../src/engine/order.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { stateOf } from '../../src/engine/views/stateOf.ts';
import { type MarketId, rateOne, type Time } from '../../src/units/units.ts';
import { createLedgerWatch, type LedgerWatch, watchLedger } from './ledgerWatch.ts';
import type { Storm } from './stormWorld.ts';

export type Watch = {
  readonly storm: Storm;
  readonly ledger: LedgerWatch;
  readonly rejections: Map<string, number>;
  readonly counts: Map<string, number>;
  failures: string[];
};

export function createWatch(storm: Storm): Watch {
  const watch: Watch = {
    storm,
    ledger: createLedgerWatch(),
    rejections: new Map(),
    counts: new Map(),
    failures: [],
  };
  takeEvents(watch);
  return watch;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function fail(watch: Watch, what: string): void {
  if (watch.failures.length < 20) watch.failures.push(what);
}

/**
 * Applies the command and looks at what it did. Looking closely adds what costs a pass over the
 * whole state: the invariants, that a rejection changed nothing, and that order/test says
 * beforehand what happens.
 */
export function step(watch: Watch, command: Command, closely: boolean): Outcome {
  const { exchange } = watch.storm;
  // Timers may have run since the last command.
  takeEvents(watch);
  const hash = closely ? stateHash(exchange) : '';
  const reported = closely && command.kind === 'placeOrder' ? tellFirst(watch, command, hash) : '';
  const { sequence } = exchange;
  const equities = liveAccounts(exchange).map((account) => equityOf(exchange, account));
  const outcome = applyCommand(exchange, command, 0 as Time);
  if (outcome.kind === 'rejected') {
    const { reason } = outcome.rejection;
    count(watch.rejections, reason);
    if (reason === 'fault') fail(watch, `fault: ${JSON.stringify(outcome.rejection)}`);
    if (exchange.sequence !== sequence) fail(watch, 'a rejection drew a number');
    if (closely && stateHash(exchange) !== hash) fail(watch, `${reason} changed the state`);
  }
  for (const item of outcome.kind === 'accepted' ? (outcome.items ?? []) : []) {
    if (item.kind === 'rejected' && item.rejection.reason === 'fault') {
      fail(watch, `fault: ${JSON.stringify(item.rejection)}`);
    }
  }
  if (reported !== '' && reported !== verdictOf(outcome)) {
    fail(watch, `order/test said ${reported}, the order ${verdictOf(outcome)} (ORD-10)`);
  }
  const events = takeEvents(watch);
  if (!mayLiquidate(command, events)) {
    checkEquities(watch, equities, events);
    checkFillCheck(watch, events);
  }
  checkRuin(watch);
  if (outcome.kind === 'accepted' && !events.some(({ kind }) => kind === 'traded')) {
    if (outcome.order !== undefined) checkAcceptance(watch, stateOf.order(outcome.order));
  }
  if (closely) for (const failure of checkInvariants(exchange).failures) fail(watch, failure);
  return outcome;
}

/**
 * Prices move, a market that comes back is tested, and so is who has paid funding: then
 * liquidations and triggers trade too.
 */
function mayLiquidate(command: Command, events: readonly Event[]): boolean {
  if (command.kind === 'indexTick' || command.kind === 'changeMarket') return true;
  const closing = new Set<Event['kind']>(['traded', 'takenOver', 'deleveraged']);
  return command.kind === 'settleFunding' && events.some(({ kind }) => closing.has(kind));
}

const verdictOf = (outcome: Outcome): string =>
  outcome.kind === 'accepted' ? 'accepted' : JSON.stringify(outcome.rejection);

/** What order/test says, which must leave no trace (ORD-10). */
function tellFirst(watch: Watch, command: PlaceOrder, hash: string): string {
  const { exchange } = watch.storm;
  const prices = priceHash(exchange);
  const reported = verdictOf(testOrder(exchange, command).outcome);
  if (stateHash(exchange) !== hash) fail(watch, 'order/test changed the state');
  if (priceHash(exchange) !== prices) fail(watch, 'order/test changed the prices');
  if (exchange.events.length > 0) fail(watch, 'order/test left events');
  return reported;
}

/** Takes the events, whose rows must lead from the balances before to those now. */
function takeEvents(watch: Watch): readonly Event[] {
  const { exchange } = watch.storm;
  const { events } = exchange;
  exchange.events = [];
  for (const event of events) {
    count(watch.counts, event.kind === 'orderEnded' ? event.order.cancelReason : event.kind);
  }
  for (const failure of watchLedger(watch.ledger, events, exchange)) fail(watch, failure);
  return events;
}

/** LIQ-5: no account with a position in a live market has equity at or below zero. */
function checkRuin(watch: Watch): void {
  const { exchange } = watch.storm;
  for (const account of liveAccounts(exchange)) {
    for (const position of account.positions) {
      if (position === undefined || position.lots === 0 || isFund(account)) continue;
      if (!isMarketLive(exchange.markets[position.market]!, exchange.time)) continue;
      const { equity } = marginStatusOf(exchange, subjectOf(exchange, position));
      if (equity <= 0) fail(watch, `account ${account.id} is left with ${equity} (LIQ-5)`);
    }
  }
}

/**
 * While the mark stands still, equity changes by nothing but deposits, fees and the distance of
 * fills from the mark, to the unit: what rounding keeps back stays in the position (UNIT-3).
 */
function checkEquities(watch: Watch, before: readonly number[], events: readonly Event[]): void {
  const { exchange } = watch.storm;
  const due = [...before];
  for (const event of events) {
    if (event.kind === 'credited') due[event.account]! += event.amount;
    if (event.kind === 'withdrawalRequested') due[event.account]! -= event.amount;
    if (event.kind === 'withdrawalResolved' && !event.completed) {
      due[event.account]! += event.amount;
    }
    if (event.kind === 'fundingPaid') due[event.account]! += event.amount;
    if (event.kind !== 'traded') continue;
    const { grain, prices } = exchange.markets[event.market]!;
    const gain = event.takerSide * event.lots * (prices.mark - event.ticks) * grain;
    due[event.taker.account]! += gain - event.taker.fee;
    due[event.maker.account]! += -gain - event.maker.fee;
  }
  for (const account of liveAccounts(exchange)) {
    if (isFund(account)) continue;
    const equity = equityOf(exchange, account);
    if (equity === due[account.id]) continue;
    fail(watch, `account ${account.id}: equity ${equity}, by its fills ${due[account.id]}`);
  }
}

/**
 * MAR-4 and MAR-9 from outside: the fill check counts a fill's loss against the mark and its fee
 * before it happens, so afterwards no side is below zero equity, and one whose last fill added
 * exposure has at least twice its maintenance. An account that trades with itself passes each side
 * alone.
 */
function checkFillCheck(watch: Watch, events: readonly Event[]): void {
  const { exchange } = watch.storm;
  const last = new Map<number, { market: MarketId; added: boolean; alone: boolean }>();
  for (const event of events) {
    if (event.kind === 'lossCovered') fail(watch, `a loss fell on the fund: ${reported(event)}`);
    if (event.kind !== 'traded') continue;
    const alone = event.taker.account === event.maker.account;
    for (const fill of [event.taker, event.maker]) {
      last.set(fill.account, { market: event.market, added: adds(event, fill), alone });
    }
  }
  for (const [id, { market, added, alone }] of last) {
    if (alone) continue;
    const account = exchange.accounts[id]!;
    const { equity, maintenance } = marginStatusOf(exchange, {
      account,
      position: account.marginMode === 'isolated' ? account.positions[market] : undefined,
    });
    const floor = added ? 2 * maintenance : 0;
    if (equity < floor) fail(watch, `account ${id} traded down to ${equity}, needs ${floor}`);
  }
}

const reported = (event: Event): string => JSON.stringify(event);

/**
 * MAR-4 and MAR-9 at acceptance, of an order that rests whole and is not covered: its loss at the
 * limit, its fee, twice Σ maintenance and Σ freezes, its own among them, are within the equity.
 */
function checkAcceptance(watch: Watch, order: Readonly<Order>): void {
  const { exchange } = watch.storm;
  if (order.level === null || order.reduceOnly || order.cover === order.open) return;
  const { grain, prices, terms } = exchange.markets[order.market]!;
  const account = exchange.accounts[order.account]!;
  // Isolated, the position answers with its own collateral.
  if (account.marginMode === 'isolated') return;
  const worse = Math.max(order.side * (order.ticks - prices.mark), 0) * order.open * grain;
  const fee = Math.max(0, Math.ceil((order.ticks * order.open * grain * terms.makerFee) / rateOne));
  // What orders hold, with their unified-margin offset; positions have maintenance instead.
  const ofPositions = account.positions.reduce((sum, each) => sum + (each?.uncovered ?? 0), 0);
  const held = account.freezes + account.uncovered - ofPositions;
  const needed = worse + fee + 2 * maintenanceOf(exchange, account) + held;
  const equity = equityOf(exchange, account);
  if (equity < needed) fail(watch, `order ${order.id} rests on ${equity}, needs ${needed}`);
}

/** Whether the fill added exposure: its size is beyond the opposite position before it. */
function adds(event: Traded, fill: Fill): boolean {
  const side = fill === event.taker ? event.takerSide : -event.takerSide;
  const before = fill.position - side * event.lots;
  return Math.max(-side * before, 0) < event.lots;
}
