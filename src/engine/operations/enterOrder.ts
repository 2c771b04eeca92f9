// An order with its terms enters the market. It is executed tentatively against the book, judged by
// the result, and either undone completely or committed (ORD-10, MAR-1, MAR-4). Placing and
// modifying share this.

import { assert } from '../../std/assert.ts';
import { freezeUp, notionalOf } from '../../units/notional.ts';
import type { Lots, Money } from '../../units/units.ts';
import { ladderOf } from '../book/book.ts';
import { lotsWithin } from '../book/depth.ts';
import { bestLevel, levelAfter } from '../book/ladder.ts';
import { bestLive, crosses, sweep } from '../book/sweep.ts';
import { coverLeft } from '../clearing/cover.ts';
import { countVolumes, feeRateOf } from '../clearing/fees.ts';
import { hold, standInRoom } from '../clearing/hold.ts';
import { endOrder, flushEnded } from '../endOrder.ts';
import type { Event } from '../event.ts';
import type { Side } from '../orderTypes.ts';
import type { Rejection } from '../rejection.ts';
import { beginTentative, commitTentative, rollbackTentative, touchOrder } from '../undo.ts';
import type { Look, Trial } from '../views/trial.ts';
import { workOf } from '../work.ts';
import {
  blankSums,
  type Candidate,
  type Figures,
  figuresBefore,
  judgeEntry,
  marginInsufficient,
  type Sums,
} from './judgeEntry.ts';
import { createSweep, meet } from './meet.ts';
import { restOrder, takePlace } from './restOrder.ts';

export type Entry = Candidate & {
  /** FOK: fills whole or is killed. */
  readonly whole: boolean;
  /** The event before the trades. */
  readonly announcement: Event;
  /** Runs in every tentative execution before the sweep: a modified order leaves its place. */
  readonly prepare: (() => void) | undefined;
  /**
   * Runs after the decision and before the order rests: structural work that a tentative execution
   * may not do.
   */
  readonly settle: (() => void) | undefined;
  /** A test: even an accepted order is undone (order/test). */
  readonly dryRun: boolean;
  /** Of a test: looks at the state that the accepted order would leave, before it is undone. */
  readonly look?: Look | undefined;
};

/**
 * undefined: accepted and done. 'killed': a FOK that cannot fill whole, or a MARKET without a
 * counterparty; there was no effect.
 */
export type EntryResult = Rejection | 'killed' | undefined;

const attemptsMax = 4;

/**
 * Executes tentatively, judges, commits or undoes. Cost: the resting orders that it meets, at each
 * attempt.
 */
export function enterOrder(entry: Entry): EntryResult {
  if (entry.prepare === undefined && !canCross(entry)) return enterQuietly(entry);
  if (entry.whole && !isDeepEnough(entry)) return 'killed';
  let upfront: Money | undefined;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const tentative = tryEntry(entry, upfront);
    if (tentative.kind === 'again') {
      upfront = tentative.freeze;
      continue;
    }
    if (tentative.result !== undefined || entry.dryRun) return tentative.result;
    finishEntry(entry, tentative.traded);
    return undefined;
  }
  // The result depends on its own freeze and does not converge: refuse instead of guessing.
  return marginInsufficient;
}

function canCross(entry: Entry): boolean {
  const opposite = -entry.order.side as Side;
  const best = bestLive(ladderOf(entry.market.book, opposite));
  return best !== undefined && crosses(entry.order.side, best.ticks, entry.limit);
}

/**
 * Whether the levels within the bound hold as many lots as the order. If not, no tentative
 * execution can fill it whole; if so, one decides. Cost: the levels, until there is enough
 * (ORD-2b).
 */
function isDeepEnough({ exchange, market, order, limit }: Entry): boolean {
  const ladder = ladderOf(market.book, -order.side as Side);
  const { lots, levels } = lotsWithin(ladder, limit, order.open);
  exchange.work += levels * workOf.level;
  return lots >= order.open;
}

/** An order that meets no other needs no tentative execution: it is judged as a resting order. */
function enterQuietly(entry: Entry): EntryResult {
  const { exchange, account, order } = entry;
  if (entry.whole || order.type === 'MARKET') return 'killed';
  order.cover = coverOf(entry);
  const due = entry.mayRest ? restFreeze(entry) : (0 as Money);
  const figures = figuresBefore(entry);
  const refused = judgeEntry(entry, figures, blankSums(due, order));
  if (refused !== undefined) return refused;
  if (entry.dryRun) return lookQuietly(entry, due);
  // From here enterOrder must succeed.
  exchange.committed = true;
  exchange.events.push(entry.announcement);
  const held = hold(exchange, account, order, due);
  assert(held, 'what acceptance has judged can be held');
  if (entry.mayRest) takePlace(entry, order);
  else finishEntry(entry, false);
  return undefined;
}

/** Shows the freeze of an order that would rest, and takes it back. */
function lookQuietly(entry: Entry, due: Money): undefined {
  if (entry.look === undefined) return;
  const { exchange, account, order } = entry;
  beginTentative(exchange.undo);
  touchOrder(exchange.undo, order);
  hold(exchange, account, order, due);
  entry.look(trialOf(entry, blankSums(due, order)));
  exchange.work += exchange.undo.saved * workOf.takenBack;
  rollbackTentative(exchange.undo);
}

function trialOf({ order, mayRest }: Entry, { lots, notional, fee, freeze }: Sums): Trial {
  const rest = (mayRest && order.status !== 'CANCELED' ? order.open : 0) as Lots;
  return { order, lots, notional, fee, margin: freeze, rest };
}

/** The cover of the incoming order from the opposite position: it is the newest (MAR-1). */
function coverOf(entry: Entry): Lots {
  const { order, position } = entry;
  if (order.reduceOnly) return 0 as Lots;
  return Math.min(order.open, coverLeft(position, order.side)) as Lots;
}

/** The freeze of the lots that would rest: opening × limit / leverage × 1.005 (MAR-1). */
function restFreeze(entry: Entry): Money {
  const { order, market, limit } = entry;
  const opening = (order.open - order.cover) as Lots;
  if (order.reduceOnly || opening <= 0) return 0 as Money;
  return freezeUp(notionalOf(limit, opening, market.grain), order.leverage);
}

type Tentative =
  | { readonly kind: 'again'; readonly freeze: Money }
  | { readonly kind: 'done'; readonly result: EntryResult; readonly traded: boolean };

/**
 * One tentative execution with `upfront` frozen before the first fill, by default the estimate from
 * a walk of the levels. When the fills need another freeze, that one is tried next: a committed
 * execution has frozen exactly what it needed.
 */
function tryEntry(entry: Entry, upfront: Money | undefined): Tentative {
  const { exchange, market, account, position, order } = entry;
  assert(exchange.ended.length === 0, 'a command begins without dead orders');
  const { sequence } = exchange;
  const eventCount = exchange.events.length;
  beginTentative(exchange.undo);
  touchOrder(exchange.undo, order);
  exchange.events.push(entry.announcement);
  entry.prepare?.();
  order.cover = coverOf(entry);
  const figures = figuresBefore(entry);
  const room = account.available + standInRoom(exchange, account);
  const frozen = Math.min(upfront ?? walkFreeze(entry), room) as Money;
  hold(exchange, account, order, frozen);
  const feeRate = feeRateOf(exchange, market, account, 'taker');
  const swept = createSweep({ exchange, market, account, position, feeRate });
  exchange.taker = order;
  sweep(market.book, order, entry.limit, swept, meet);
  exchange.taker = null;
  const due = (swept.freeze + (entry.mayRest ? restFreeze(entry) : 0)) as Money;
  const sums = { ...swept, freeze: due, rest: order.open };
  const result = judgeTentative(entry, figures, sums);
  const converged = due === frozen;
  if (converged && result === undefined && !entry.dryRun) {
    // From here enterOrder must succeed.
    commitTentative(exchange.undo);
    exchange.committed = true;
    countVolumes(exchange, eventCount);
    return { kind: 'done', result, traded: swept.lots > 0 };
  }
  if (converged && result === undefined) entry.look?.(trialOf(entry, sums));
  exchange.work += exchange.undo.saved * workOf.takenBack;
  rollbackTentative(exchange.undo);
  exchange.events.length = eventCount;
  exchange.ended.length = 0;
  exchange.sequence = sequence;
  if (converged || due > figures.room) return { kind: 'done', result, traded: false };
  return { kind: 'again', freeze: due };
}

function judgeTentative(entry: Entry, figures: Figures, sums: Sums): EntryResult {
  const { order } = entry;
  // MAR-4a: an order that can fill nothing because its margin is insufficient is rejected.
  const stopped = order.status === 'CANCELED' && order.cancelReason === 'MARGIN';
  if (stopped && (entry.whole || sums.lots === 0)) return marginInsufficient;
  if (entry.whole && sums.lots < figures.open) return 'killed';
  return judgeEntry(entry, figures, sums);
}

/**
 * The freeze that a plain walk of the opposite levels expects: covered lots first, each fill at its
 * price, all fills of a MARKET order at the worst one, the rest at the limit. The tentative
 * execution corrects it where a fill check, a cap or self-trade prevention intervenes.
 */
function walkFreeze(entry: Entry): Money {
  const { exchange, order, market, limit } = entry;
  if (order.reduceOnly) return 0 as Money;
  const ladder = ladderOf(market.book, -order.side as Side);
  let walked = 0;
  let left: number = order.open;
  let cover: number = order.cover;
  let total = 0;
  let opened = 0;
  let level = bestLevel(ladder);
  while (level !== undefined && left > 0 && crosses(order.side, level.ticks, limit)) {
    for (let maker = level.first; maker !== null && left > 0; maker = maker.next) {
      walked += 1;
      const lots = Math.min(left, maker.open);
      const opening = (lots - Math.min(lots, cover)) as Lots;
      cover = Math.max(cover - lots, 0);
      left -= lots;
      opened += opening;
      const isMarket = order.type === 'MARKET';
      const priced = (isMarket ? opened : opening) as Lots;
      const due = freezeUp(notionalOf(maker.ticks, priced, market.grain), order.leverage);
      total = isMarket ? due : total + due;
    }
    level = levelAfter(ladder, level);
  }
  exchange.work += walked * workOf.looked;
  if (entry.mayRest && left > cover) {
    const opening = (left - cover) as Lots;
    total += freezeUp(notionalOf(limit, opening, market.grain), order.leverage);
  }
  return total as Money;
}

/** What follows the decision: the rest of the order rests or ends, dead orders leave the book. */
function finishEntry(entry: Entry, traded: boolean): void {
  const { exchange, market, order } = entry;
  entry.settle?.();
  if (traded) {
    market.book.updateId += 1;
    assert(market.figures.positionLots === 0, 'positions of a market must cancel out');
  }
  flushEnded(exchange);
  if (order.open > 0 && entry.mayRest) {
    restOrder(entry, order);
  } else if (order.open > 0) {
    const reason = order.type === 'MARKET' ? 'MARKET' : 'IOC';
    endOrder(exchange, order, { status: 'CANCELED', reason });
  }
  flushEnded(exchange);
}
