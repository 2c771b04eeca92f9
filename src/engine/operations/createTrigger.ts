// The record of a new trigger. placeTrigger.ts and placeLegs.ts place it.

import type { OrderId, Ticks, Time } from '../../units/units.ts';
import type { PlaceTrigger } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Trigger } from '../trigger.ts';

/** What a command does not say: its number, and whether it is a leg or has legs (ATT-1). */
export type TriggerOrigin = Pick<Trigger, 'id' | 'pair' | 'legs' | 'status'>;

export function createTrigger(
  exchange: Exchange,
  market: Market,
  command: PlaceTrigger,
  origin: TriggerOrigin,
): Trigger {
  const { mark } = market.prices;
  const isTrailing = command.type === 'TRAILING_STOP_MARKET';
  const activatesNow = isTrailing && command.activationTicks === 0;
  return {
    id: origin.id,
    account: command.account,
    market: command.market,
    route: command.route,
    side: command.side,
    type: command.type,
    timeInForce: command.timeInForce,
    lots: command.lots,
    ticks: command.ticks,
    reduceOnly: command.reduceOnly,
    closePosition: command.closePosition,
    selfTradeMode: command.selfTradeMode ?? market.terms.selfTradePrevention,
    workingType: command.workingType,
    priceProtect: command.priceProtect,
    clientOrderId: command.clientOrderId,
    goodTillDate: command.goodTillDate,
    createdAt: exchange.time,
    markAtCreation: mark,
    pair: origin.pair,
    legs: origin.legs,
    callbackRate: command.callbackRate,
    activationTicks: activatesNow ? mark : command.activationTicks,
    stopTicks: command.stopTicks,
    extreme: activatesNow ? mark : (0 as Ticks),
    block: null,
    status: origin.status,
    failure: '',
    triggeredAt: 0 as Time,
    order: 0 as OrderId,
    updatedAt: exchange.time,
    priority: origin.id,
  };
}
