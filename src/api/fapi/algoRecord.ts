// The algo order object (conventions, 9.1): a trigger of either route with what became of it.
// Written by hand as the order object is; nothing in it can need escaping.

import { Type } from 'typebox';
import { clientOrderIdOf } from '../../engine/clientOrderId.ts';
import type { Market } from '../../engine/market.ts';
import { buy, type Order, selfTradeModes } from '../../engine/order.ts';
import { type Trigger, triggerStatuses, triggerTypes } from '../../engine/trigger.ts';
import { formatUuid } from '../../units/uuid.ts';
import type { Deployment } from '../deployment.ts';
import { fapiReasonText } from '../errors/failureAnswer.ts';
import { priceText, quantityText } from '../grid.ts';
import { marketOf } from '../orderAnswer.ts';
import { averageText, failureSchema } from '../orderRecord.ts';
import { activatePriceText, callbackText, triggerPriceText } from '../triggerPriceText.ts';

const text = Type.String();

export const algoRecordSchema = Type.Object({
  algoId: Type.String({ format: 'uuid' }),
  clientAlgoId: text,
  algoType: Type.Literal('CONDITIONAL'),
  orderType: Type.Enum([...triggerTypes]),
  symbol: text,
  side: Type.Enum(['BUY', 'SELL']),
  positionSide: Type.Literal('BOTH'),
  timeInForce: text,
  quantity: text,
  algoStatus: Type.Enum([...triggerStatuses]),
  triggerPrice: text,
  price: text,
  icebergQuantity: Type.Null(),
  selfTradePreventionMode: Type.Enum([...selfTradeModes]),
  workingType: text,
  priceMatch: Type.Literal('NONE'),
  closePosition: Type.Boolean(),
  priceProtect: Type.Boolean(),
  reduceOnly: Type.Boolean(),
  activatePrice: text,
  callbackRate: text,
  createTime: Type.Integer(),
  updateTime: Type.Integer(),
  triggerTime: Type.Integer(),
  goodTillDate: Type.Integer(),
  /** Of the order that came of it; empty before, or where it is no longer remembered. */
  actualOrderId: text,
  actualPrice: text,
  actualQty: text,
  actualType: text,
  tpTriggerPrice: text,
  tpPrice: text,
  slTriggerPrice: text,
  slPrice: text,
  tpOrderType: text,
  /** Of one that FAILED: what refused its order. */
  failure: Type.Optional(failureSchema),
});

/** Attached take-profits and stop-losses do not exist. */
const unattached =
  ',"tpTriggerPrice":"0.000","tpPrice":"0.000","slTriggerPrice":"0.000","slPrice":"0.000"' +
  ',"tpOrderType":""';

/** The JSON text of a trigger as it stands. */
export function algoRecordText(deployment: Deployment, trigger: Readonly<Trigger>): string {
  const market = marketOf(deployment, trigger);
  const { type, ticks, failure } = trigger;
  const trailing = type === 'TRAILING_STOP_MARKET';
  const quantity = trigger.closePosition ? '0' : quantityText(trigger.lots, market);
  return (
    `{"algoId":"${formatUuid(trigger.createdAt, trigger.id)}"` +
    `,"clientAlgoId":"${clientOrderIdOf(trigger)}","algoType":"CONDITIONAL"` +
    `,"orderType":"${type}","symbol":"${market.symbol}"` +
    `,"side":"${trigger.side === buy ? 'BUY' : 'SELL'}","positionSide":"BOTH"` +
    `,"timeInForce":"${trigger.goodTillDate === 0 ? trigger.timeInForce : 'GTD'}"` +
    `,"quantity":"${quantity}","algoStatus":"${trigger.status}"` +
    `,"triggerPrice":"${triggerPriceText(trigger, market)}"` +
    `,"price":"${ticks === 0 ? '0' : priceText(ticks, market)}","icebergQuantity":null` +
    `,"selfTradePreventionMode":"${trigger.selfTradeMode}"` +
    `,"workingType":"${trigger.workingType}","priceMatch":"NONE"` +
    `,"closePosition":${trigger.closePosition},"priceProtect":${trigger.priceProtect}` +
    `,"reduceOnly":${trigger.reduceOnly}` +
    `,"activatePrice":"${trailing ? activatePriceText(trigger, market) : ''}"` +
    `,"callbackRate":"${trailing ? callbackText(trigger) : ''}"` +
    actualText(deployment, trigger, market) +
    unattached +
    `,"createTime":${trigger.createdAt},"updateTime":${trigger.updatedAt}` +
    `,"triggerTime":${trigger.triggeredAt},"goodTillDate":${trigger.goodTillDate}` +
    `${failure === '' ? '' : `,"failure":${fapiReasonText(failure)}`}}`
  );
}

/** Several of them as a list. */
export function algoListText(
  deployment: Deployment,
  triggers: readonly Readonly<Trigger>[],
): string {
  return `[${triggers.map((trigger) => algoRecordText(deployment, trigger)).join(',')}]`;
}

function actualText(deployment: Deployment, trigger: Readonly<Trigger>, market: Market): string {
  if (trigger.order === 0) {
    return ',"actualOrderId":"","actualPrice":"0.00000","actualQty":"0","actualType":""';
  }
  const order = derivedOrder(deployment, trigger);
  const made = trigger.route === 'order' ? trigger.createdAt : trigger.triggeredAt;
  const id = `,"actualOrderId":"${formatUuid(made, trigger.order)}"`;
  if (order === undefined) return `${id},"actualPrice":"","actualQty":"","actualType":""`;
  const price = order.filled === 0 ? '0.00000' : averageText(order, market);
  const quantity = quantityText(order.filled, market);
  return `${id},"actualPrice":"${price}","actualQty":"${quantity}","actualType":"${order.type}"`;
}

/** The order that came of a trigger, while it lives or is remembered. */
function derivedOrder(
  { exchange, findEndedOrder }: Deployment,
  { account, order: id }: Readonly<Trigger>,
): Readonly<Order> | undefined {
  return exchange.orders.get(id) ?? findEndedOrder(account, { id });
}
