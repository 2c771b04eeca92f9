// The order object of FAPI (conventions, 7.1), written by hand because every order answer needs
// it. Nothing in it can need escaping: ids, words and figures only.

import { Type } from 'typebox';
import { clientOrderIdOf } from '../engine/clientOrderId.ts';
import type { Market } from '../engine/market.ts';
import { buy, cancelReasons, type Order, orderStatuses, selfTradeModes } from '../engine/order.ts';
import { averagePriceText } from '../engine/views/entryPriceText.ts';
import { formatTrimmed } from '../units/decimal.ts';
import { formatUuid } from '../units/uuid.ts';
import { moneyText, priceText, quantityText } from './grid.ts';

const text = Type.String();
const decimal = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' });

export const orderRecordSchema = Type.Object({
  orderId: Type.String({ format: 'uuid' }),
  clientOrderId: text,
  symbol: text,
  pair: text,
  status: Type.Enum([...orderStatuses]),
  side: Type.Enum(['BUY', 'SELL']),
  positionSide: Type.Literal('BOTH'),
  type: text,
  origType: text,
  timeInForce: text,
  price: decimal,
  avgPrice: decimal,
  origQty: decimal,
  executedQty: decimal,
  cumQty: decimal,
  cumQuote: decimal,
  stopPrice: decimal,
  workingType: text,
  priceProtect: Type.Boolean(),
  closePosition: Type.Boolean(),
  reduceOnly: Type.Boolean(),
  priceMatch: Type.Literal('NONE'),
  selfTradePreventionMode: Type.Enum([...selfTradeModes]),
  goodTillDate: Type.Integer(),
  time: Type.Integer(),
  updateTime: Type.Integer(),
  /** Why it ended, when not by filling (ORD-2). */
  cancelReason: Type.Optional(Type.Enum([...cancelReasons])),
});

/** The JSON text of an order as it stands. Cost: 1 µs. */
export function orderRecordText(order: Readonly<Order>, market: Market): string {
  const { symbol } = market;
  const filled = quantityText(order.filled, market);
  const type = order.type;
  const reason = order.cancelReason === 'NONE' ? '' : `,"cancelReason":"${order.cancelReason}"`;
  return (
    `{"orderId":"${formatUuid(order.createdAt, order.id)}"` +
    `,"clientOrderId":"${clientOrderIdOf(order)}"` +
    `,"symbol":"${symbol}","pair":"${symbol}","status":"${order.status}"` +
    `,"side":"${order.side === buy ? 'BUY' : 'SELL'}","positionSide":"BOTH"` +
    `,"type":"${type}","origType":"${type}","timeInForce":"${order.timeInForce}"` +
    `,"price":"${order.ticks === 0 ? '0' : priceText(order.ticks, market)}"` +
    `,"avgPrice":"${averageText(order, market)}"` +
    `,"origQty":"${quantityText(order.lots, market)}","executedQty":"${filled}"` +
    `,"cumQty":"${filled}","cumQuote":"${moneyText(order.filledNotional)}"` +
    `,"stopPrice":"0","workingType":"${order.workingType}"` +
    `,"priceProtect":${order.priceProtect},"closePosition":false` +
    `,"reduceOnly":${order.reduceOnly},"priceMatch":"NONE"` +
    `,"selfTradePreventionMode":"${order.selfTradeMode}","goodTillDate":0` +
    `,"time":${order.createdAt},"updateTime":${order.updatedAt}${reason}}`
  );
}

/** The volume-weighted fill price; fills at one price, which are most, need no wide division. */
function averageText({ filled, filledNotional }: Readonly<Order>, market: Market): string {
  if (filled === 0) return '0';
  const perTick = filled * market.grain;
  if (filledNotional % perTick !== 0) return averagePriceText(market, filledNotional, filled);
  const { decimals, step } = market.tick;
  return formatTrimmed((filledNotional / perTick) * step, decimals);
}
