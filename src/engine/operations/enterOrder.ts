// An order with its terms enters the market. It is executed tentatively against the book, judged by
// the result, and either undone completely or committed (ORD-10, MAR-1, MAR-4). Placing and
// modifying share this.

import { assert } from '../../std/assert.ts';
import { freezeUp, notionalOf } from '../../units/notional.ts';
import { type Lots, type Money, type Rate, rateOne, type Ticks } from '../../units/units.ts';
import type { Account } from '../account.ts';
import { ladderOf } from '../book/book.ts';
import { lotsWithin } from '../book/depth.ts';
import { bestLevel, levelAfter } from '../book/ladder.ts';
import { bestLive, crosses, sweep } from '../book/sweep.ts';
import { coverLeft } from '../clearing/cover.ts';
import { countVolumes, feeOf, feeRateOf } from '../clearing/fees.ts';
import { hold, standInRoom } from '../clearing/hold.ts';
import { maintenanceAfter } from '../clearing/maintenance.ts';
import {
  closingLots,
  equityOf,
  flatElsewhere,
  lossAgainstMark,
  marginSurplus,
  ownEquityOf,
} from '../clearing/margin.ts';
import { openingSurcharge } from '../clearing/openingSurcharge.ts';
import { endOrder, flushEnded, queueOf } from '../endOrder.ts';
import type { Event } from '../event.ts';
import type { Order } from '../order.ts';
import type { Side } from '../orderTypes.ts';
import type { Rejection } from '../rejection.ts';
import { beginTentative, commitTentative, rollbackTentative, touchOrder } from '../undo.ts';
import { workOf } from '../work.ts';
import { createSweep, meet } from './meet.ts';
import { type Place, restOrder, takePlace } from './restOrder.ts';

export type Entry = Place & {
  readonly order: Order;
  /** The worst price at which it may trade: its limit, or the bound of a MARKET order (ORD-3). */
  readonly limit: Ticks;
  readonly mayRest: boolean;
  /** FOK: fills whole or is killed. */
  readonly whole: boolean;
  readonly maxSlippage: Rate | undefined;
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
};

/**
 * undefined: accepted and done. 'killed': a FOK that cannot fill whole, or a MARKET without a
 * counterparty; there was no effect.
 */
export type EntryResult = Rejection | 'killed' | undefined;

const marginInsufficient: Rejection = { reason: 'marginInsufficient' };
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
  if (refused !== undefined || entry.dryRun) return refused;
  // From here enterOrder must succeed.
  exchange.committed = true;
  exchange.events.push(entry.announcement);
  const held = hold(exchange, account, order, due);
  assert(held, 'what acceptance has judged can be held');
  if (entry.mayRest) takePlace(entry, order);
  else finishEntry(entry, false);
  return undefined;
}

type Figures = {
  readonly available: Money;
  /** What can be held: available, and in unified mode the free unified-margin offset (MAR-7). */
  readonly room: number;
  /** Equity; less Σ maintenance margin, unless the order only reduces. */
  readonly surplus: Money;
  /** What its open orders hold. */
  readonly freezes: number;
  readonly open: Lots;
  readonly onlyReduces: boolean;
  readonly leavesFlat: boolean;
};

/** The account as acceptance sees it: before the sweep, without the order. */
function figuresBefore(entry: Entry): Figures {
  const { exchange, account, position, order } = entry;
  const onlyReduces = order.reduceOnly || order.open === order.cover;
  const whole = order.open === Math.abs(position.lots);
  const isolated = account.marginMode === 'isolated';
  return {
    available: account.available,
    room: account.available + standInRoom(exchange, account),
    surplus: isolated
      ? isolatedSurplus(entry, onlyReduces)
      : onlyReduces
        ? equityOf(exchange, account)
        : marginSurplus(exchange, account),
    freezes: account.freezes + uncoveredOfOrders(account),
    open: order.open,
    onlyReduces,
    leavesFlat: onlyReduces && whole && (isolated || flatElsewhere(account, position.market)),
  };
}

/** Collateral + PnL of the position, less its maintenance after the order has filled (MAR-4). */
function isolatedSurplus(entry: Entry, onlyReduces: boolean): Money {
  const { market, account, position, order } = entry;
  const equity = ownEquityOf(market, position);
  if (onlyReduces) return equity;
  const { side, open } = order;
  const lots = (open - closingLots(position, side, open)) as Lots;
  const ticks = order.ticks > 0 ? order.ticks : market.prices.mark;
  const opened = openingSurcharge(market, account, { side, lots, ticks });
  return (equity - maintenanceAfter(market, position, (side * open) as Lots, opened)) as Money;
}

/** Σ unified-margin offsets of the account's open orders (MAR-7). */
function uncoveredOfOrders(account: Account): number {
  if (account.uncovered === 0) return 0;
  let uncovered: number = account.uncovered;
  for (const position of account.positions) uncovered -= position?.uncovered ?? 0;
  return uncovered;
}

type Sums = {
  readonly freeze: Money;
  readonly loss: Money;
  readonly fee: Money;
  readonly lots: Lots;
  readonly notional: Money;
  /** The remaining lots of the order, which may rest. */
  readonly rest: Lots;
};

const blankSums = (freezeDue: Money, order: Order): Sums => ({
  freeze: freezeDue,
  loss: 0 as Money,
  fee: 0 as Money,
  lots: 0 as Lots,
  notional: 0 as Money,
  rest: order.open,
});

/** The cover of the incoming order from the opposite position: it is the newest (MAR-1). */
function coverOf(entry: Entry): Lots {
  const { order, position } = entry;
  if (order.reduceOnly) return 0 as Lots;
  return Math.min(order.open, coverLeft(position, queueOf(position, order))) as Lots;
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
  const result = judgeTentative(entry, figures, { ...swept, freeze: due, rest: order.open });
  const converged = due === frozen;
  if (converged && result === undefined && !entry.dryRun) {
    // From here enterOrder must succeed.
    commitTentative(exchange.undo);
    exchange.committed = true;
    countVolumes(exchange, eventCount);
    return { kind: 'done', result, traded: swept.lots > 0 };
  }
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
 * Acceptance (ORD-3, MAR-1, MAR-4): slippage, then the freeze, then equity − losses − fees ≥ Σ
 * maintenance + Σ freezes including this one; > 0, or ≥ 0 when it leaves the account flat, for an
 * order that only reduces. The crossing part counts at its trade prices, the rest at its limit
 * price. In isolated mode the position answers alone, and available pays the fees as far as it can.
 */
function judgeEntry(entry: Entry, figures: Figures, sums: Sums): Rejection | undefined {
  const { market, account, order, limit } = entry;
  const { mark } = market.prices;
  if (entry.maxSlippage !== undefined && slips(entry, sums, entry.maxSlippage)) {
    return { reason: 'slippageExceeded' };
  }
  if (sums.freeze > figures.room) return marginInsufficient;
  const rest = (entry.mayRest ? sums.rest : 0) as Lots;
  const restTerms = { side: order.side, lots: rest, ticks: limit };
  const loss = sums.loss + lossAgainstMark(restTerms, mark, market.grain);
  const makerFee = feeOf(
    notionalOf(limit, rest, market.grain),
    feeRateOf(entry.exchange, market, account, 'maker'),
  );
  const fees = sums.fee + Math.max(makerFee, 0);
  const isolated = account.marginMode === 'isolated';
  const free = figures.available - sums.freeze;
  const surplus = figures.surplus - loss - (isolated ? Math.max(0, fees - free) : fees);
  if (figures.onlyReduces) {
    const stands = figures.leavesFlat ? surplus >= 0 : surplus > 0;
    return stands ? undefined : marginInsufficient;
  }
  // In isolated mode the freeze becomes the position's own; else it must not be money that
  // maintains another position.
  const stands = isolated ? surplus + sums.freeze >= 0 : surplus >= figures.freezes + sums.freeze;
  return stands ? undefined : marginInsufficient;
}

/** |average price − mark| / mark > max_slippage, compared without division (ORD-3). */
function slips(entry: Entry, sums: Sums, max: Rate): boolean {
  const { prices, grain } = entry.market;
  const atMark = BigInt(notionalOf(prices.mark, sums.lots, grain));
  const away = BigInt(sums.notional) - atMark;
  return (away < 0n ? -away : away) * BigInt(rateOne) > atMark * BigInt(max);
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
