// The invariants of triggers (TRG-1 … TRG-5): each is in the map and with its account. A waiting
// trigger is in exactly one structure of its market or is due; a fired one has its live order.

import { directGet } from '../../std/directMap.ts';
import type { SortedSet } from '../../std/sortedSet.ts';
import type { OrderId } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Side } from '../orderTypes.ts';
import { isTried, onlyReduces, type Trigger, takesPlace, waits } from '../trigger.ts';
import { newItems, placedItems, queueOf, queuesInOrder } from '../triggers/dueQueue.ts';
import { hasTurned, rankOf, trailingStop } from '../triggers/trailing.ts';
import type { TrailingGroup, TrailingRun } from '../triggers/trailingRun.ts';
import { triedItems } from '../triggers/triedTriggers.ts';
import { isRising, isTrailing } from '../triggers/waitingTriggers.ts';
import { type Findings, must } from './findings.ts';

/** Gives the number of the account's triggers that hold a client id of their own. */
export function checkAccountTriggers(
  findings: Findings,
  exchange: Exchange,
  account: Account,
): number {
  const name = `account ${account.id}`;
  const closing = account.positions.map(() => 0);
  let before = 0;
  let waiting = 0;
  let named = 0;
  for (const trigger of account.triggers) {
    const { id, market, clientOrderId } = trigger;
    const known = trigger.account === account.id && exchange.triggers.get(id) === trigger;
    must(findings, known, () => `${name}: trigger ${id} is not the one that is looked up`);
    must(findings, id > before, () => `${name}: trigger ${id} does not stand by its number`);
    before = id;
    if (takesPlace(trigger)) {
      waiting += 1;
      if (trigger.closePosition) closing[market] = (closing[market] ?? 0) + 1;
      if (exchange.markets[market]?.dues.settledAt === 0) checkCloses(findings, account, trigger);
    }
    if (clientOrderId === '') continue;
    named += 1;
    const found = account.clientOrderIds.get(clientOrderId) === id;
    must(findings, found, () => `trigger ${id} is not found by its client order id`);
  }
  must(findings, waiting === account.waitingTriggers, () => {
    return `${name}: ${waiting} waiting triggers, counted as ${account.waitingTriggers}`;
  });
  closing.forEach((count, market) => {
    const counted = account.positions[market]?.closeTriggers ?? 0;
    must(findings, count === counted, () => {
      return `${name}, market ${market}: ${count} triggers close it, counted as ${counted}`;
    });
  });
  return named;
}

/** A trigger that closes a whole position ends when the opposite position is gone (TRG-2). */
function checkCloses(findings: Findings, account: Account, trigger: Trigger): void {
  if (!trigger.closePosition) return;
  const lots = account.positions[trigger.market]?.lots ?? 0;
  must(findings, trigger.side * lots < 0, () => {
    return `trigger ${trigger.id} closes a position of ${lots} lots (TRG-2)`;
  });
}

/** The map of all triggers, and the structures in which they wait. */
export function checkTriggers(findings: Findings, exchange: Exchange): void {
  const seen = new Set<OrderId>();
  for (const market of exchange.markets) checkWaiting(findings, market, seen);
  checkDue(findings, exchange, seen);
  let before = 0;
  let listed = 0;
  for (const [id, trigger] of exchange.triggers) {
    must(findings, trigger.id === id && id > before && id <= exchange.sequence, () => {
      return `trigger ${id} does not stand by its number`;
    });
    before = id;
    const { priority } = trigger;
    must(findings, priority >= id && priority <= exchange.sequence, () => {
      return `trigger ${id} has the priority ${priority}`;
    });
    must(findings, waits(trigger) === seen.has(id), () => {
      return `trigger ${id} is ${trigger.status} and ${seen.has(id) ? 'waits' : 'does not wait'}`;
    });
    if (waits(trigger)) seen.delete(id);
    else if (!takesPlace(trigger)) checkFired(findings, exchange, trigger);
  }
  must(findings, seen.size === 0, () => `${seen.size} triggers wait that are not in the map`);
  for (const account of exchange.accounts) listed += account?.triggers.length ?? 0;
  must(findings, listed === exchange.triggers.size, () => {
    return `${exchange.triggers.size} triggers, ${listed} with their accounts`;
  });
}

/** A trigger that is no longer waiting, and not final, has a live order that knows it. */
function checkFired(findings: Findings, exchange: Exchange, trigger: Trigger): void {
  const order = directGet(exchange.orders, trigger.order);
  const linked = order?.trigger === trigger && order.account === trigger.account;
  must(findings, trigger.status === 'TRIGGERED' && linked && trigger.triggeredAt > 0, () => {
    return `trigger ${trigger.id} is ${trigger.status} without its live order ${trigger.order}`;
  });
}

/** Adds the numbers of the market's waiting triggers; a number that comes twice is a failure. */
function checkWaiting(findings: Findings, market: Market, seen: Set<OrderId>): void {
  checkKind(findings, market, { seen, reduces: true });
  checkKind(findings, market, { seen, reduces: false });
}

type Kind = { readonly reduces: boolean; readonly seen: Set<OrderId> };

function checkKind(findings: Findings, market: Market, { reduces, seen }: Kind): void {
  const { reducing, opening } = market.triggers;
  const { rising, falling, buying, selling } = reduces ? reducing : opening;
  const add = (trigger: Trigger, fits: boolean): void => {
    const ofKind = onlyReduces(trigger) === reduces && !isTried(trigger);
    const belongs = fits && ofKind && trigger.market === market.id;
    must(findings, belongs && !seen.has(trigger.id), () => {
      return `${market.symbol}: trigger ${trigger.id} waits in the wrong place`;
    });
    seen.add(trigger.id);
  };
  for (const [key, id, trigger] of entriesOf(findings, rising)) {
    const keyed = key === trigger.stopTicks && id === trigger.priority;
    add(trigger, keyed && !isTrailing(trigger) && isRising(trigger));
  }
  for (const [key, id, trigger] of entriesOf(findings, falling)) {
    const keyed = key === -trigger.stopTicks && id === trigger.priority;
    add(trigger, keyed && !isTrailing(trigger) && !isRising(trigger));
  }
  for (const trailing of [buying, selling]) {
    const { side, inactive, groups } = trailing;
    const belongs = (trigger: Trigger): boolean => isTrailing(trigger) && trigger.side === side;
    for (const [key, , group] of entriesOf(findings, inactive)) {
      must(findings, group.extreme === 0 && group.runs.length > 0, () => {
        return `${market.symbol}: trailing triggers are inactive with ${group.extreme}`;
      });
      for (const trigger of checkGroup(findings, side, group)) {
        add(trigger, belongs(trigger) && key === rankOf(side, trigger.activationTicks));
      }
    }
    let rankBefore = Number.POSITIVE_INFINITY;
    for (const group of groups) {
      const rank = rankOf(side, group.extreme);
      must(findings, rank < rankBefore && group.extreme > 0 && !group.due, () => {
        return `${market.symbol}: trailing triggers of ${group.extreme} stand out of order`;
      });
      rankBefore = rank;
      for (const trigger of checkGroup(findings, side, group)) add(trigger, belongs(trigger));
    }
  }
}

function* checkGroup(findings: Findings, side: Side, group: TrailingGroup): Generator<Trigger> {
  for (const run of group.runs) yield* checkRun(findings, side, group, run);
}

/** The triggers of a run. Checks that they ascend, are counted, and wait for the group's stop. */
function* checkRun(
  findings: Findings,
  side: Side,
  group: TrailingGroup,
  run: TrailingRun,
): Generator<Trigger> {
  let callbackBefore = 0;
  let count = 0;
  for (const block of run.blocks) {
    for (const [slot, trigger] of block.items.entries()) {
      const { callbackRate } = trigger;
      const linked = trigger.block === block && block.run === run && run.group === group;
      const ascends = callbackRate >= callbackBefore && block.callbacks[slot] === callbackRate;
      const { extreme } = group;
      const stop = trailingStop({ side, extreme, callbackRate });
      const isLater = extreme === 0 || hasTurned(side, group.stop, stop);
      must(findings, linked && ascends && isLater, () => {
        return `trailing trigger ${trigger.id} is not found in its turn`;
      });
      callbackBefore = callbackRate;
      count += 1;
      yield trigger;
    }
  }
  must(findings, count === run.size, () => `a run of ${count} says it holds ${run.size}`);
}

/**
 * Due triggers and tried ones wait in no other structure; due ones have the places that the queue
 * records (TRG-6), and tried ones stand by the time of their try (TRG-8).
 */
function checkDue(findings: Findings, exchange: Exchange, seen: Set<OrderId>): void {
  const { due } = exchange;
  const addTo = (trigger: Trigger, belongs: boolean): void => {
    const { id, market } = trigger;
    const isOpen = exchange.markets[market]?.dues.settledAt === 0;
    const ends = isOpen || exchange.expiring.some((one) => one.market === market);
    must(findings, belongs && ends && !seen.has(id), () => {
      return `trigger ${id} is due in the wrong place`;
    });
    seen.add(id);
  };
  let triedBefore = 0;
  for (const trigger of triedItems(due.tried)) {
    const { updatedAt } = trigger;
    addTo(trigger, isTried(trigger) && onlyReduces(trigger) && updatedAt >= triedBefore);
    triedBefore = updatedAt;
  }
  for (const queue of queuesInOrder(due)) {
    const add = (trigger: Trigger): void => addTo(trigger, queueOf(due, trigger) === queue);
    let before = 0;
    for (const { trigger, round } of placedItems(queue)) {
      const last = queue.places.get(trigger.account) ?? Math.min(round, queue.round - 1);
      must(findings, round >= before && round <= last, () => {
        return `trigger ${trigger.id} is due in round ${round}, its account's last is ${last}`;
      });
      before = round;
      add(trigger);
    }
    for (const trigger of newItems(queue)) add(trigger);
    const ended = [...queue.places.values()].some((round) => round < queue.round);
    must(findings, !ended, () => 'an account has its last place in a round that is over');
  }
}

/** The entries of a sorted set in their order. Checks that they ascend and are counted. */
export function* entriesOf<T>(
  findings: Findings,
  set: SortedSet<T>,
): Generator<readonly [key: number, id: number, item: T]> {
  let keyBefore = Number.NEGATIVE_INFINITY;
  let idBefore = Number.NEGATIVE_INFINITY;
  let count = 0;
  for (const { keys, ids, items } of set.blocks) {
    for (const [slot, item] of items.entries()) {
      const key = keys[slot]!;
      const id = ids[slot]!;
      must(findings, key > keyBefore || (key === keyBefore && id > idBefore), () => {
        return `a sorted set is out of order at (${key}, ${id})`;
      });
      keyBefore = key;
      idBefore = id;
      count += 1;
      yield [key, id, item];
    }
  }
  must(findings, count === set.size, () => `a sorted set of ${count} says it holds ${set.size}`);
}
