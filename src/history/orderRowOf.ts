// An order as a row, in its present state.

import type { Order } from '../engine/views/order.ts';
import { legColumnsOf } from '../engine/views/trigger.ts';
import type { OrderId } from '../units/units.ts';
import type { OrderRow } from './rows.ts';

export function orderRowOf(order: Readonly<Order>): OrderRow {
  return {
    id: order.id,
    account: order.account,
    market: order.market,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    reduceOnly: order.reduceOnly,
    selfTradeMode: order.selfTradeMode,
    workingType: order.workingType,
    priceProtect: order.priceProtect,
    origin: order.origin,
    trigger: order.trigger?.id ?? (0 as OrderId),
    clientOrderId: order.clientOrderId,
    createdAt: order.createdAt,
    markAtCreation: order.markAtCreation,
    ticks: order.ticks,
    lots: order.lots,
    leverage: order.leverage,
    status: order.status,
    cancelReason: order.cancelReason,
    updatedAt: order.updatedAt,
    open: order.open,
    filled: order.filled,
    filledNotional: order.filledNotional,
    ...legColumnsOf(order),
  };
}
