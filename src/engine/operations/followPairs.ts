// The legs of pairs follow what fills, closes and ends have changed (ATT-3): they begin to wait,
// get other lots, are PENDING again, or end. This runs when a command is committed, never inside a
// tentative execution.

import { assert, must } from '../../std/assert.ts';
import { directHas } from '../../std/directMap.ts';
import type { Lots } from '../../units/units.ts';
import { cutPairs } from '../clearing/pairLots.ts';
import { endTrigger, stopWaiting } from '../endTrigger.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import type { Pair } from '../pair.ts';
import { putInPlace } from '../replaceTrigger.ts';
import { isTried, type Trigger, waits } from '../trigger.ts';
import { addWaiting } from '../triggers/waitingTriggers.ts';
import { workOf } from '../work.ts';

/** Cost: the pairs that have changed, and those of positions that became smaller. */
export function followPairs(exchange: Exchange): void {
  const { shrunk, stirred } = exchange;
  if (shrunk.length === 0 && stirred.length === 0) return;
  assert(!exchange.undo.active, 'no leg changes during a tentative execution');
  for (const attachments of shrunk) {
    attachments.shrunk = false;
    cutPairs(exchange, attachments);
  }
  shrunk.length = 0;
  // The end of a leg stirs its pair again, so the list may grow.
  for (const pair of stirred) {
    pair.stirred = false;
    follow(exchange, pair);
  }
  stirred.length = 0;
}

/** Empties the lists after a command that was undone: nothing has changed. */
export function forgetStirred({ shrunk, stirred }: Exchange): void {
  for (const attachments of shrunk) attachments.shrunk = false;
  for (const pair of stirred) pair.stirred = false;
  shrunk.length = 0;
  stirred.length = 0;
}

/** The legs that have not ended: at most two. */
export function liveLegs({ triggers }: Exchange, { legs }: Pair): Trigger[] {
  const found = [triggers.get(legs.takeProfit), triggers.get(legs.stopLoss)];
  return found.filter((trigger) => trigger !== undefined);
}

/** The pair of a command that was refused is in no list, and a pair may be named after its end. */
function follow(exchange: Exchange, pair: Pair): void {
  if (exchange.pairs.get(pair.name.id) !== pair) return;
  const legs = liveLegs(exchange, pair);
  // The triggers of a settled market all end together (SYM-2b).
  const isSettled = exchange.markets[pair.market]!.dues.settledAt !== 0;
  for (const leg of isSettled ? [] : legs) {
    if (leg.status === 'TRIGGERED') continue;
    if (pair.name.kind === 'position') followPosition(exchange, pair, leg);
    else if (pair.lots > 0) resize(exchange, leg, pair.lots);
    else if (canFill(exchange, pair)) makePending(exchange, leg);
    else endTrigger(exchange, leg, 'EXPIRED');
  }
  if (legs.length === 0) dropPair(exchange, pair);
}

/**
 * A leg that protects a position ends when it is flat or has flipped, also for a moment (ATT-9).
 */
function followPosition(exchange: Exchange, { account, market, side, life }: Pair, leg: Trigger) {
  const position = exchange.accounts[account]!.positions[market]!;
  const isSame = position.attachments?.life === life && position.lots * side > 0;
  if (!isSame) endTrigger(exchange, leg, 'EXPIRED');
}

/** Whether the parent waits or has a live order. */
function canFill({ orders, triggers }: Exchange, { name }: Pair): boolean {
  return name.kind === 'order' ? directHas(orders, name.id) : triggers.has(name.id);
}

function resize(exchange: Exchange, leg: Trigger, lots: Lots): void {
  if (waits(leg) && leg.lots === lots) return;
  leg.lots = lots;
  if (!waits(leg)) {
    // Its place is that of one that is new now (FUND-3).
    leg.priority = drawNumber(exchange);
    leg.status = 'NEW';
    addWaiting(exchange.markets[leg.market]!.triggers, leg);
  }
  noteSize(exchange, leg);
}

/**
 * Another record takes the place of one that waits, so that a queue of due triggers that still
 * names it skips it.
 */
function makePending(exchange: Exchange, leg: Trigger): void {
  if (!waits(leg)) return;
  stopWaiting(exchange, leg);
  const pending: Trigger = { ...leg, status: 'PENDING', lots: 0 as Lots, failure: '' };
  putInPlace(exchange, leg, pending);
  exchange.accounts[leg.account]!.waitingTriggers += 1;
  noteSize(exchange, pending);
}

function noteSize(exchange: Exchange, leg: Trigger): void {
  exchange.work += workOf.ended;
  // Tried ones rest in the order of their tries (TRG-8): a later time would hold up all behind it.
  if (!isTried(leg)) leg.updatedAt = exchange.time;
  const { id, account, market, lots } = leg;
  exchange.events.push({ kind: 'triggerResized', id, account, market, lots });
}

function dropPair(exchange: Exchange, pair: Pair): void {
  exchange.pairs.delete(pair.name.id);
  const position = must(
    exchange.accounts[pair.account]!.positions[pair.market],
    'a pair has a position',
  );
  const { pairs } = must(position.attachments, 'the position of a pair lists its pairs');
  pairs.splice(pairs.indexOf(pair), 1);
}
