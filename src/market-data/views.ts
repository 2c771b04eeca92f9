// Every view that is computed from events, and which events each view receives. A replica holds
// them beside the engine's state, at the same point of the log.

import type { Event } from '../engine/event.ts';
import { type Exchange, marketById } from '../engine/views/exchange.ts';
import type { Order } from '../engine/views/order.ts';
import { createDeleveragings, type Deleveragings, logDeleveraging } from './deleveragings.ts';
import { createEndedOrders, type EndedOrders } from './endedOrders.ts';
import { createEndedTriggers, type EndedTriggers } from './endedTriggers.ts';
import {
  createForceOrders,
  eventPlaceOf,
  type ForceOrders,
  rememberForceOrders,
  rowsOfDeleveraging,
  rowsOfLiquidation,
  rowsOfTakeover,
} from './forceOrders.ts';
import { addMarketData, type MarketData, viewPrices, viewTrade } from './marketData.ts';
import { countsOf, createRiskCounts, type RiskCounts } from './riskCounts.ts';
import { decodeEarlier, indexOf, rememberRow } from './rowRing.ts';
import { createSettledFunding, rememberSettlement, type SettledFunding } from './settledFunding.ts';
import {
  createWithdrawals,
  rememberRequested,
  rememberResolved,
  type Withdrawals,
} from './withdrawals.ts';

export type Views = {
  readonly endedOrders: EndedOrders;
  readonly endedTriggers: EndedTriggers;
  readonly forceOrders: ForceOrders;
  readonly deleveragings: Deleveragings;
  readonly withdrawals: Withdrawals;
  readonly settledFunding: SettledFunding;
  readonly riskCounts: RiskCounts;
  /** By market number. */
  readonly markets: MarketData[];
};

export function createViews(): Views {
  return {
    endedOrders: createEndedOrders(),
    endedTriggers: createEndedTriggers(),
    forceOrders: createForceOrders(),
    deleveragings: createDeleveragings(),
    withdrawals: createWithdrawals(),
    settledFunding: createSettledFunding(),
    riskCounts: createRiskCounts(),
    markets: [],
  };
}

/**
 * Builds the indexes of all views before the first question, except of rows that are decoded later:
 * `decodeEnded` does that. Cost: 0.7 s when all are full.
 */
export function indexViews(views: Views): void {
  if (views.endedOrders.earlier === undefined) indexOf(views.endedOrders);
  if (views.endedTriggers.earlier === undefined) indexOf(views.endedTriggers);
  indexOf(views.forceOrders);
  indexOf(views.deleveragings);
  indexOf(views.withdrawals);
  indexOf(views.settledFunding);
}

/** So many rows take a few milliseconds. */
const decodedMax = 1000;

/** Decodes and indexes some of what ended before the snapshot of a start. */
export function decodeEnded({ endedOrders, endedTriggers }: Views): void {
  if (endedOrders.earlier !== undefined) decodeEarlier(endedOrders, decodedMax);
  else decodeEarlier(endedTriggers, decodedMax);
}

/** Passes an event to its views. The exchange is still at the event's time. */
export function viewEvent(views: Views, exchange: Exchange, event: Event): void {
  const { time } = exchange;
  switch (event.kind) {
    case 'marketListed':
      addMarketData(views.markets, event.market);
      return;
    case 'traded': {
      const { market } = event;
      viewTrade(views.markets[market]!, event, marketById(exchange, market)!, time);
      return;
    }
    case 'priced': {
      const { market } = event;
      viewPrices(views.markets[market]!, event, marketById(exchange, market)!, time);
      return;
    }
    case 'orderEnded':
      rememberRow(views.endedOrders, event.order);
      if (event.order.origin === 'liquidation') viewLiquidation(views, event.order);
      return;
    case 'triggerEnded':
      rememberRow(views.endedTriggers, event.trigger);
      return;
    case 'takenOver':
      countsOf(views.riskCounts, event.market).takeovers += 1;
      rememberForceOrders(views.forceOrders, rowsOfTakeover(event, eventPlaceOf(exchange, event)));
      return;
    case 'deleveraged':
      countsOf(views.riskCounts, event.market).deleveragings += 1;
      rememberForceOrders(
        views.forceOrders,
        rowsOfDeleveraging(event, eventPlaceOf(exchange, event)),
      );
      logDeleveraging(views.deleveragings, event, time);
      return;
    case 'withdrawalRequested':
      rememberRequested(views.withdrawals, event, time);
      return;
    case 'withdrawalResolved':
      rememberResolved(views.withdrawals, event, time);
      return;
    case 'fundingSettled':
      rememberSettlement(views.settledFunding, event);
      return;
    case 'liquidationFlagged':
      views.riskCounts.flagged += event.flagged ? 1 : -1;
      return;
    case 'indexRefused':
      countsOf(views.riskCounts, event.market).indexRefusals += 1;
      return;
    case 'breakerTripped':
      countsOf(views.riskCounts, event.market).breakerTrips += 1;
      return;
    default:
      return;
  }
}

function viewLiquidation({ riskCounts, forceOrders }: Views, order: Readonly<Order>): void {
  countsOf(riskCounts, order.market).liquidations += 1;
  rememberForceOrders(forceOrders, rowsOfLiquidation(order));
}
