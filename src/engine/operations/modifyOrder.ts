// Cancels a resting LIMIT order's unfilled part and submits it again under the same id (ORD-5).
// Priority is lost. A failure at any step leaves order and priority unchanged, because everything
// is one tentative execution.

import { assert, must } from '../../std/assert.ts';
import type { Lots } from '../../units/units.ts';
import { isFlagged, positionIn } from '../account.ts';
import { coverAsNewest, dealCover } from '../clearing/cover.ts';
import { heldBy, release } from '../clearing/hold.ts';
import { closingLots } from '../clearing/margin.ts';
import type { ModifyOrder } from '../command.ts';
import { endOrder, flushEnded } from '../endOrder.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import { findOrder } from '../findOrder.ts';
import { lotsMax } from '../limits.ts';
import { type Order, pairIdOf } from '../order.ts';
import { type Outcome, rejected } from '../outcome.ts';
import { reduceOrder } from '../reduceOrder.ts';
import type { Rejection } from '../rejection.ts';
import { touchPosition } from '../undo.ts';
import { capturedLeverage } from './capturedLeverage.ts';
import { checkPendingLegs, checkSizesAfter, referenceOfOrder } from './checkLegs.ts';
import { checkMarketOpen, effectOf } from './checkMarketOpen.ts';
import { checkNotional, checkSafeNotional } from './checkNotional.ts';
import { enterOrder } from './enterOrder.ts';
import { checkOpening, priceOf } from './placeOrder.ts';
import { checkPriceBand } from './priceBand.ts';
import { leavePlace, type Place } from './restOrder.ts';

export function modifyOrder(exchange: Exchange, command: ModifyOrder): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const market = exchange.markets[command.market];
  if (market === undefined) return rejected({ reason: 'marketUnknown' });
  const order = findOrder(exchange, account, command.order, market.id);
  if (order === undefined) return rejected({ reason: 'orderNotFound' });
  const place = { exchange, market, account, position: positionIn(account, market.id) };
  const refused = checkModify(place, order, command);
  if (refused !== undefined) return rejected(refused);
  if (command.lots === order.filled) return endAsFilled(place, order);
  const level = must(order.level, 'a live order rests');
  const { id } = order;
  const terms = { ticks: command.ticks, lots: lotsAfter(place, order, command) };
  const result = enterOrder({
    ...place,
    order,
    limit: command.ticks,
    mayRest: true,
    whole: false,
    maxSlippage: undefined,
    announcement: {
      kind: 'orderModified',
      id,
      account: account.id,
      market: market.id,
      ticksBefore: order.ticks,
      lotsBefore: order.lots,
      ...terms,
    },
    prepare: () => detach(place, order, terms),
    settle: () => leavePlace(place, order, level),
    dryRun: false,
  });
  if (result === undefined) return { kind: 'accepted', order };
  return rejected(result === 'killed' ? { reason: 'marginInsufficient' } : result);
}

function checkModify(place: Place, order: Order, command: ModifyOrder): Rejection | undefined {
  const { exchange, market, account, position } = place;
  const closed = checkMarketOpen(market, exchange.time, 'reduces');
  if (closed !== undefined) return closed;
  if (command.side !== undefined && command.side !== order.side) return { reason: 'sideMismatch' };
  const pair = pairIdOf(order);
  const reference = referenceOfOrder(market, { side: order.side, ticks: command.ticks });
  const parent = { pair, side: order.side, reference };
  const misplaced = order.legs === null ? undefined : checkPendingLegs(exchange, market, parent);
  if (misplaced !== undefined) return misplaced;
  if (command.lots < order.filled) return { reason: 'quantityBelowFilled' };
  if (command.lots < 1) return { reason: 'quantityBelowLot' };
  if (command.lots === order.filled) return undefined;
  if (command.lots > lotsMax) return { reason: 'quantityAboveMax' };
  const open = (command.lots - order.filled) as Lots;
  const cover = coverAsNewest(position, order);
  const opening = (order.reduceOnly ? 0 : Math.max(open - cover, 0)) as Lots;
  const quote = { side: order.side, ticks: command.ticks };
  const effect = opening === 0 ? 'reduces' : effectOf(market, exchange.time, quote);
  const restricted = checkMarketOpen(market, exchange.time, effect);
  if (restricted !== undefined) return restricted;
  const check = opening > 0 ? checkNotional : checkSafeNotional;
  const { lots } = command;
  const sizes = order.legs === null ? undefined : checkSizesAfter(exchange, market, { pair, lots });
  const bounds = check(market, command.ticks, lots) ?? sizes;
  if (bounds !== undefined) return bounds;
  const outside = checkPriceBand(market, quote);
  if (outside !== undefined) return outside;
  if (order.reduceOnly && closingLots(position, order.side, open) === 0) {
    return { reason: 'reduceOnlyRejected' };
  }
  const leverage = capturedLeverage(market, position, exchange.time);
  const opens = { side: order.side, lots: opening, ticks: priceOf(market, command) };
  const capped = checkOpening(place, opens, leverage);
  if (capped !== undefined) return capped;
  // LIQ-1: no order may add risk during a liquidation.
  return opening > 0 && isFlagged(account, position) ? { reason: 'marginInsufficient' } : undefined;
}

/** quantity = filled quantity ends the order FILLED (ORD-5). */
function endAsFilled(place: Place, order: Order): Outcome {
  const { exchange, account, position } = place;
  // From here modifyOrder must succeed.
  exchange.committed = true;
  order.lots = order.filled;
  endOrder(exchange, order, { status: 'FILLED', reason: 'NONE' });
  dealCover(exchange, account, position);
  flushEnded(exchange);
  return { kind: 'accepted', order };
}

type Terms = Pick<ModifyOrder, 'ticks' | 'lots'>;

/**
 * The requested quantity; for a reduce-only order at most what closes (ORD-6), for that of a leg at
 * most what its pair may close (ATT-5).
 */
function lotsAfter({ exchange, position }: Place, order: Order, { lots }: Terms): Lots {
  if (!order.reduceOnly) return lots;
  const { id, kind } = order.trigger?.pair ?? noPair;
  const bound = kind === 'position' ? undefined : exchange.pairs.get(id)?.lots;
  const open = Math.min(lots - order.filled, bound ?? lots) as Lots;
  return (order.filled + closingLots(position, order.side, open)) as Lots;
}

const noPair = { id: 0 as Order['id'], kind: 'position' } as const;

/**
 * Runs in the tentative execution, which has saved the order: the order gives back its freeze,
 * leaves its place and takes its new terms.
 */
function detach(place: Place, order: Order, terms: Terms): void {
  const { exchange, market, account, position } = place;
  assert(order.level !== null, 'a live order rests');
  reduceOrder(exchange.undo, order, order.open);
  touchPosition(exchange.undo, position);
  position.orderCount -= 1;
  position.covered = (position.covered - order.cover) as Lots;
  if (order.reduceOnly) position.reduceOnlyCount -= 1;
  release(exchange, account, order, heldBy(order));
  order.level = null;
  dealCover(exchange, account, position);
  order.open = (terms.lots - order.filled) as Lots;
  order.lots = terms.lots;
  order.ticks = terms.ticks;
  order.leverage = capturedLeverage(market, position, exchange.time);
  order.priority = drawNumber(exchange);
  order.updatedAt = exchange.time;
}
