// Whether a parent may bring its legs (ATT-1, ATT-6): their sides, their size, and room for them.

import { formatSteps } from '../../units/decimal.ts';
import type { Lots, OrderId, Ticks } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { AttachedTerms, LegTerms, PlaceTrigger } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import { triggersMax, triggersPerAccountMax } from '../limits.ts';
import type { Market } from '../market.ts';
import type { Order } from '../order.ts';
import type { Side } from '../orderTypes.ts';
import type { Pair } from '../pair.ts';
import type { Rejection } from '../rejection.ts';
import { checkSafeNotional } from './checkNotional.ts';
import { checkEquity, type Places } from './endUncarried.ts';

/** The legs that are named. */
export function legsOf({ takeProfit, stopLoss }: AttachedTerms): LegTerms[] {
  return [takeProfit, stopLoss].filter((leg) => leg !== undefined);
}

/** Whether the deployment has room for so many more triggers that only reduce. */
export function checkLegCapacity({ triggers }: Exchange, added: number): Rejection | undefined {
  if (triggers.size + added <= triggersMax) return undefined;
  return { reason: 'capacityReached', limit: 'triggers' };
}

/** LIMIT: its price, or the mark if the mark has reached it; MARKET (0): the mark. */
export function referenceOfOrder(
  { prices }: Market,
  { side, ticks }: Pick<Order, 'side' | 'ticks'>,
): Ticks {
  if (ticks === 0) return prices.mark;
  return (side > 0 ? Math.min(ticks, prices.mark) : Math.max(ticks, prices.mark)) as Ticks;
}

/** The price at which it fires; of a trailing one its activation price, or else the mark. */
export function referenceOfTrigger(
  { prices }: Market,
  { stopTicks, activationTicks }: Pick<PlaceTrigger, 'stopTicks' | 'activationTicks'>,
): Ticks {
  return stopTicks || activationTicks || prices.mark;
}

/** A take-profit of a parent that buys is above the reference, its stop-loss below it. */
export function checkLegSides(
  market: Market,
  { side, reference }: { readonly side: Side; readonly reference: Ticks },
  { takeProfit, stopLoss }: AttachedTerms,
): Rejection | undefined {
  const bound = formatSteps(reference, market.tick);
  if (takeProfit !== undefined && (takeProfit.stopTicks - reference) * side <= 0) {
    return { reason: 'takeProfitWrongSide', reference: bound };
  }
  if (stopLoss !== undefined && (stopLoss.stopTicks - reference) * side >= 0) {
    return { reason: 'stopLossWrongSide', reference: bound };
  }
  return undefined;
}

/**
 * While the pair of a parent has no lots, its legs are on the right side of a new reference
 * (ATT-3).
 */
export function checkPendingLegs(
  exchange: Exchange,
  market: Market,
  parent: { readonly pair: OrderId; readonly side: Side; readonly reference: Ticks },
): Rejection | undefined {
  const pair = exchange.pairs.get(parent.pair);
  if (pair === undefined || pair.lots > 0) return undefined;
  return checkLegSides(market, parent, termsOfPair(exchange, pair));
}

/** The legs of a pair as they are now: those that have not ended. */
function termsOfPair({ triggers }: Exchange, { legs }: Pair): AttachedTerms {
  return { takeProfit: triggers.get(legs.takeProfit), stopLoss: triggers.get(legs.stopLoss) };
}

/** Whether the legs that a parent has may count its new lots (ATT-1). */
export function checkSizesAfter(
  exchange: Exchange,
  market: Market,
  { pair: id, lots }: { readonly pair: OrderId; readonly lots: Lots },
): Rejection | undefined {
  const pair = exchange.pairs.get(id);
  return pair && checkLegSizes(market, lots, termsOfPair(exchange, pair));
}

/** Whether a leg of all the lots of its parent is a number that the exchange can count. */
export function checkLegSizes(
  market: Market,
  lots: Lots,
  attached: AttachedTerms,
): Rejection | undefined {
  for (const { stopTicks, ticks } of legsOf(attached)) {
    const refused = checkSafeNotional(market, ticks > 0 ? ticks : stopTicks, lots);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** Whether the account has places and equity for so many more triggers (ORD-9, TRG-7). */
export function checkPlaces(
  exchange: Exchange,
  account: Account,
  added: Places,
): Rejection | undefined {
  const places = account.waitingTriggers + added.opening + added.reducing;
  if (places > triggersPerAccountMax) return { reason: 'triggersLimit' };
  return checkEquity(exchange, account, added);
}
