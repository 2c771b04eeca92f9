// The order object of FAPI (conventions, 7.1), written by hand because every order answer needs
// it. Nothing in it can need escaping: ids, words and figures only. A trigger of the order route
// has it too, until its order is there (TRG-2).

import { Type } from 'typebox';
import { clientOrderIdOf } from '../engine/clientOrderId.ts';
import type { Market } from '../engine/market.ts';
import {
  buy,
  cancelReasons,
  type Order,
  type OrderStatus,
  orderStatuses,
  selfTradeModes,
} from '../engine/order.ts';
import type { Trigger, TriggerStatus } from '../engine/trigger.ts';
import { averagePriceText } from '../engine/views/entryPriceText.ts';
import { must } from '../std/assert.ts';
import { formatTrimmed } from '../units/decimal.ts';
import { noLots } from '../units/units.ts';
import { formatUuid } from '../units/uuid.ts';
import { fapiReasonText } from './errors/failureAnswer.ts';
import { moneyText, priceText, quantityText } from './grid.ts';
import { activatePriceText, callbackText, triggerPriceText } from './triggerPriceText.ts';

const text = Type.String();
const decimal = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' });

/** Why a trigger failed, as the refusal of its order would have been answered (TRG-1). */
export const failureSchema = Type.Object({ code: Type.Integer(), msg: text });

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
  /** Of an order that came from a trailing stop. */
  activatePrice: Type.Optional(decimal),
  priceRate: Type.Optional(decimal),
  /** Why it ended, when not by filling (ORD-2). */
  cancelReason: Type.Optional(Type.Enum([...cancelReasons])),
  /** Of a trigger whose order was refused when it fired. */
  failure: Type.Optional(failureSchema),
});

/** What the record shows of an order. */
export type OrderFigures = Readonly<
  Common &
    Pick<
      Order,
      'type' | 'timeInForce' | 'status' | 'cancelReason' | 'filled' | 'filledNotional' | 'trigger'
    >
>;

/** The JSON text of an order as it stands, or of a trigger without one. Cost: 1 µs. */
export function orderRecordText(shown: OrderFigures | Readonly<Trigger>, market: Market): string {
  return 'route' in shown ? triggerText(shown, market) : orderText(shown, market);
}

function orderText(order: OrderFigures, market: Market): string {
  const { trigger, type } = order;
  const filled = quantityText(order.filled, market);
  const reason = order.cancelReason === 'NONE' ? '' : `,"cancelReason":"${order.cancelReason}"`;
  const dated = trigger !== null && trigger.goodTillDate !== 0;
  // What limits the trigger's waiting limits its LIMIT order too (TRG-5).
  const timeInForce = dated && type === 'LIMIT' ? 'GTD' : order.timeInForce;
  return (
    headText(order, market) +
    `,"status":"${order.status}","type":"${type}","origType":"${trigger?.type ?? type}"` +
    `,"timeInForce":"${timeInForce}","avgPrice":"${averageText(order, market)}"` +
    `,"executedQty":"${filled}","cumQty":"${filled}"` +
    `,"cumQuote":"${moneyText(order.filledNotional)}"` +
    (trigger === null ? untriggered : triggeredText(trigger, market)) +
    `${reason}}`
  );
}

/** What an order shows that no trigger has placed. */
const untriggered = ',"stopPrice":"0","closePosition":false,"goodTillDate":0';

function triggeredText(trigger: Readonly<Trigger>, market: Market): string {
  const { closePosition, goodTillDate } = trigger;
  const stop =
    `,"stopPrice":"${triggerPriceText(trigger, market)}"` +
    `,"closePosition":${closePosition},"goodTillDate":${goodTillDate}`;
  if (trigger.type !== 'TRAILING_STOP_MARKET') return stop;
  const activate = activatePriceText(trigger, market);
  return `${stop},"activatePrice":"${activate}","priceRate":"${callbackText(trigger)}"`;
}

/** EXPIRED reads CANCELED, FAILED reads REJECTED (TRG-2). What has fired shows its order. */
const statusOf: Partial<Record<TriggerStatus, OrderStatus>> = {
  NEW: 'NEW',
  CANCELED: 'CANCELED',
  EXPIRED: 'CANCELED',
  FAILED: 'REJECTED',
};

function triggerText(trigger: Readonly<Trigger>, market: Market): string {
  const { type, status, timeInForce, failure } = trigger;
  const shown = must(statusOf[status], 'a trigger that has fired shows its order');
  const none = quantityText(noLots, market);
  return (
    headText(trigger, market) +
    `,"status":"${shown}","type":"${type}","origType":"${type}"` +
    `,"timeInForce":"${timeInForce}","avgPrice":"0"` +
    `,"executedQty":"${none}","cumQty":"${none}","cumQuote":"0"` +
    triggeredText(trigger, market) +
    `${failure === '' ? '' : `,"failure":${fapiReasonText(failure)}`}}`
  );
}

type Common = Pick<
  Order,
  | 'clientOrderId'
  | 'createdAt'
  | 'id'
  | 'lots'
  | 'priceProtect'
  | 'reduceOnly'
  | 'selfTradeMode'
  | 'side'
  | 'ticks'
  | 'updatedAt'
  | 'workingType'
>;

function headText(common: Readonly<Common>, market: Market): string {
  const { symbol } = market;
  const { ticks } = common;
  return (
    `{"orderId":"${formatUuid(common.createdAt, common.id)}"` +
    `,"clientOrderId":"${clientOrderIdOf(common)}"` +
    `,"symbol":"${symbol}","pair":"${symbol}"` +
    `,"side":"${common.side === buy ? 'BUY' : 'SELL'}","positionSide":"BOTH"` +
    `,"price":"${ticks === 0 ? '0' : priceText(ticks, market)}"` +
    `,"origQty":"${quantityText(common.lots, market)}"` +
    `,"workingType":"${common.workingType}","priceProtect":${common.priceProtect}` +
    `,"reduceOnly":${common.reduceOnly},"priceMatch":"NONE"` +
    `,"selfTradePreventionMode":"${common.selfTradeMode}"` +
    `,"time":${common.createdAt},"updateTime":${common.updatedAt}`
  );
}

/** The volume-weighted fill price; fills at one price, which are most, need no wide division. */
export function averageText(
  { filled, filledNotional }: Pick<OrderFigures, 'filled' | 'filledNotional'>,
  market: Market,
): string {
  if (filled === 0) return '0';
  const perTick = filled * market.grain;
  if (filledNotional % perTick !== 0) return averagePriceText(market, filledNotional, filled);
  const { decimals, step } = market.tick;
  return formatTrimmed((filledNotional / perTick) * step, decimals);
}
