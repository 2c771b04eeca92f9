// The order object of FAPI (conventions, 7.1). It is written by hand because every answer about
// orders needs it, with the names of the surface (recordText.ts). Nothing in it can need escaping:
// it has only ids, words and figures. A trigger of the order route shows it too, until its order
// exists (TRG-2).

import { Type } from 'typebox';
import { clientOrderIdOf } from '../engine/clientOrderId.ts';
import { buy, type OrderStatus } from '../engine/orderTypes.ts';
import type { TriggerStatus } from '../engine/triggerTypes.ts';
import { averagePriceText } from '../engine/views/entryPriceText.ts';
import type { MarketGrid } from '../engine/views/market.ts';
import type { Order } from '../engine/views/order.ts';
import type { Trigger } from '../engine/views/trigger.ts';
import { must } from '../std/assert.ts';
import { formatTrimmed } from '../units/decimal.ts';
import { noLots } from '../units/units.ts';
import { formatUuid } from '../units/uuid.ts';
import {
  clientIdText,
  decimalText,
  exactObject,
  idText,
  namedAnswerSchema,
  plainText,
  symbolText,
  timeNumber,
} from './answerSchema.ts';
import { enumerations } from './enumerations.ts';
import { fapiReasonText } from './errors/failureAnswer.ts';
import { moneyText, priceText, quantityText } from './grid.ts';
import type { ShownOrder } from './historyPort.ts';
import { fapiText, type RecordText } from './recordText.ts';
import { activatePriceText, callbackText, triggerPriceText } from './triggerPriceText.ts';

/** Why a trigger failed: the answer that a refusal of its order would have given (TRG-1). */
export const failureSchema = namedAnswerSchema(
  'Failure',
  exactObject({ code: Type.Integer(), msg: plainText('As a refusal says it.') }),
);

const members = {
  orderId: idText(),
  clientOrderId: clientIdText(),
  symbol: symbolText(),
  pair: symbolText(),
  status: enumerations.orderStatus,
  side: enumerations.side,
  positionSide: Type.Literal('BOTH'),
  type: enumerations.orderType,
  origType: enumerations.orderType,
  timeInForce: enumerations.timeInForce,
  price: decimalText(),
  avgPrice: decimalText(),
  origQty: decimalText(),
  executedQty: decimalText(),
  cumQty: decimalText(),
  cumQuote: decimalText(),
  stopPrice: decimalText(),
  workingType: enumerations.workingType,
  priceProtect: Type.Boolean(),
  closePosition: Type.Boolean(),
  reduceOnly: Type.Boolean(),
  priceMatch: Type.Literal('NONE'),
  selfTradePreventionMode: enumerations.selfTradeMode,
  goodTillDate: timeNumber(),
  time: timeNumber(),
  updateTime: timeNumber(),
  /** Of an order that a trailing stop placed. */
  activatePrice: Type.Optional(decimalText()),
  priceRate: Type.Optional(decimalText()),
  /** The take-profit and the stop-loss that it brought (ATT-1). */
  takeProfitId: Type.Optional(idText()),
  stopLossId: Type.Optional(idText()),
  /** Why it ended without filling completely (ORD-2). */
  cancelReason: Type.Optional(enumerations.cancelReason),
  /** Of a trigger whose order was refused as it fired; while NEW it is tried again (TRG-8). */
  failure: Type.Optional(failureSchema),
};

export const orderRecordSchema = namedAnswerSchema('Order', exactObject(members));

/** What the record shows of an order. */
export type OrderFigures = Omit<ShownOrder, 'account' | 'market'>;

/**
 * The JSON text of an order as it is now, or of a trigger without an order, with the names of a
 * surface, by default FAPI's. Cost: 1 µs.
 */
export function orderRecordText(
  shown: OrderFigures | Readonly<Trigger>,
  market: MarketGrid,
  json: RecordText = fapiText,
): string {
  return 'route' in shown ? triggerText(shown, market, json) : orderText(shown, market, json);
}

function orderText(order: OrderFigures, market: MarketGrid, json: RecordText): string {
  const { trigger, type } = order;
  const filled = quantityText(order.filled, market);
  const { cancelReason } = order;
  const reason = cancelReason === 'NONE' ? '' : json`,"cancelReason":"${cancelReason}"`;
  const dated = trigger !== null && trigger.goodTillDate !== 0;
  // The date that limits the trigger's waiting limits its LIMIT order too (TRG-5).
  const timeInForce = dated && type === 'LIMIT' ? 'GTD' : order.timeInForce;
  return json`${headText(order, market, json)},
    "status":"${order.status}",
    "type":"${type}",
    "origType":"${trigger?.type ?? type}",
    "timeInForce":"${timeInForce}",
    "avgPrice":"${averageText(order, market)}",
    "executedQty":"${filled}",
    "cumQty":"${filled}",
    "cumQuote":"${moneyText(order.filledNotional)}",
    ${trigger === null ? untriggeredText(json) : triggeredText(trigger, market, json)}
    ${legsText(order, json)}
    ${reason}}`;
}

type Parent = Pick<Trigger, 'createdAt' | 'legs'>;

/** The ids of legs, which are placed together with their parent; empty without legs. */
export function legsText({ createdAt, legs }: Readonly<Parent>, json: RecordText): string {
  if (!legs) return '';
  const { takeProfit, stopLoss } = legs;
  const profit =
    takeProfit === 0 ? '' : json`,"takeProfitId":"${formatUuid(createdAt, takeProfit)}"`;
  const loss = stopLoss === 0 ? '' : json`,"stopLossId":"${formatUuid(createdAt, stopLoss)}"`;
  return `${profit}${loss}`;
}

/** Members of an order that no trigger has placed. */
const untriggeredText = (json: RecordText): string =>
  json`"stopPrice":"0","closePosition":false,"goodTillDate":0`;

function triggeredText(trigger: Readonly<Trigger>, market: MarketGrid, json: RecordText): string {
  const { closePosition, goodTillDate } = trigger;
  const stop = json`
    "stopPrice":"${triggerPriceText(trigger, market)}",
    "closePosition":${closePosition},
    "goodTillDate":${goodTillDate}`;
  if (trigger.type !== 'TRAILING_STOP_MARKET') return stop;
  return json`${stop},
    "activatePrice":"${activatePriceText(trigger, market)}",
    "priceRate":"${callbackText(trigger)}"`;
}

/** EXPIRED shows as CANCELED, FAILED as REJECTED (TRG-2). A fired trigger shows its order. */
const statusOf: Partial<Record<TriggerStatus, OrderStatus>> = {
  NEW: 'NEW',
  CANCELED: 'CANCELED',
  EXPIRED: 'CANCELED',
  FAILED: 'REJECTED',
};

function triggerText(trigger: Readonly<Trigger>, market: MarketGrid, json: RecordText): string {
  const { type, status, timeInForce, failure } = trigger;
  const shown = must(statusOf[status], 'a trigger that has fired shows its order');
  const none = quantityText(noLots, market);
  const reason = failure === '' ? '' : json`,"failure":${fapiReasonText(failure)}`;
  return json`${headText(trigger, market, json)},
    "status":"${shown}",
    "type":"${type}",
    "origType":"${type}",
    "timeInForce":"${timeInForce}",
    "avgPrice":"0",
    "executedQty":"${none}",
    "cumQty":"${none}",
    "cumQuote":"0",
    ${triggeredText(trigger, market, json)}
    ${reason}}`;
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

function headText(common: Readonly<Common>, market: MarketGrid, json: RecordText): string {
  const { symbol } = market;
  const { ticks } = common;
  return json`{
    "orderId":"${formatUuid(common.createdAt, common.id)}",
    "clientOrderId":"${clientOrderIdOf(common)}",
    "symbol":"${symbol}",
    "pair":"${symbol}",
    "side":"${common.side === buy ? 'BUY' : 'SELL'}",
    "positionSide":"BOTH",
    "price":"${ticks === 0 ? '0' : priceText(ticks, market)}",
    "origQty":"${quantityText(common.lots, market)}",
    "workingType":"${common.workingType}",
    "priceProtect":${common.priceProtect},
    "reduceOnly":${common.reduceOnly},
    "priceMatch":"NONE",
    "selfTradePreventionMode":"${common.selfTradeMode}",
    "time":${common.createdAt},
    "updateTime":${common.updatedAt}`;
}

/** The volume-weighted fill price. Most orders fill at one price and need no wide division. */
export function averageText(
  { filled, filledNotional }: Pick<OrderFigures, 'filled' | 'filledNotional'>,
  market: MarketGrid,
): string {
  if (filled === 0) return '0';
  const perTick = filled * market.grain;
  if (filledNotional % perTick !== 0) return averagePriceText(market, filledNotional, filled);
  const { decimals, step } = market.tick;
  return formatTrimmed((filledNotional / perTick) * step, decimals);
}
