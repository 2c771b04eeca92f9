// The algo order object (conventions, 9.1): a trigger of either route and its result. It is written
// by hand like the order object, with the names of the surface; no value in it can need escaping.

import { Type } from 'typebox';
import { clientOrderIdOf } from '../../engine/clientOrderId.ts';
import { buy } from '../../engine/orderTypes.ts';
import { orderById } from '../../engine/views/exchange.ts';
import type { Market } from '../../engine/views/market.ts';
import type { Trigger } from '../../engine/views/trigger.ts';
import { assert, must } from '../../std/assert.ts';
import { formatUuid } from '../../units/uuid.ts';
import {
  clientIdText,
  decimalText,
  exactObject,
  idText,
  namedAnswerSchema,
  orEmpty,
  symbolText,
  timeNumber,
} from '../answerSchema.ts';
import type { Deployment } from '../deployment.ts';
import { enumerations } from '../enumerations.ts';
import { fapiReasonText } from '../errors/failureAnswer.ts';
import { moneyText, priceText, quantityText } from '../grid.ts';
import { type DerivedOrder, hasFailed, type StoredTrigger } from '../historyPort.ts';
import type { Answer, Answered } from '../operation.ts';
import { marketOf } from '../orderAnswer.ts';
import { averageText, failureSchema, legsText } from '../orderRecord.ts';
import { fapiText, type RecordText } from '../recordText.ts';
import { activatePriceText, callbackText, triggerPriceText } from '../triggerPriceText.ts';

export const algoMembers = {
  algoId: idText(),
  clientAlgoId: clientIdText(),
  algoType: Type.Literal('CONDITIONAL'),
  orderType: enumerations.triggerType,
  symbol: symbolText(),
  side: enumerations.side,
  positionSide: Type.Literal('BOTH'),
  timeInForce: enumerations.timeInForce,
  quantity: decimalText(),
  algoStatus: enumerations.algoStatus,
  triggerPrice: decimalText(),
  price: decimalText(),
  icebergQuantity: Type.Null(),
  selfTradePreventionMode: enumerations.selfTradeMode,
  workingType: enumerations.workingType,
  priceMatch: Type.Literal('NONE'),
  closePosition: Type.Boolean(),
  priceProtect: Type.Boolean(),
  reduceOnly: Type.Boolean(),
  activatePrice: orEmpty(decimalText()),
  callbackRate: orEmpty(decimalText()),
  createTime: timeNumber(),
  updateTime: timeNumber(),
  triggerTime: timeNumber(),
  goodTillDate: timeNumber(),
  /** The id of the order that the trigger placed; empty before. */
  actualOrderId: orEmpty(idText()),
  actualPrice: orEmpty(decimalText()),
  actualQty: orEmpty(decimalText()),
  actualType: orEmpty(enumerations.orderType),
  /** The same under the names of the order object. Stock clients count fills by these names. */
  origQty: decimalText(),
  avgPrice: decimalText(),
  executedQty: decimalText(),
  cumQuote: decimalText(),
  tpTriggerPrice: Type.Literal('0.000'),
  tpPrice: Type.Literal('0.000'),
  slTriggerPrice: Type.Literal('0.000'),
  slPrice: Type.Literal('0.000'),
  tpOrderType: Type.Literal(''),
  /** Of a leg: its pair, and the order or trigger that brought it (ATT-1). */
  pairId: Type.Optional(idText()),
  parentId: Type.Optional(idText()),
  /** Its own take-profit and stop-loss. */
  takeProfitId: Type.Optional(idText()),
  stopLossId: Type.Optional(idText()),
  /** The reason for which its order was refused: it FAILED, or is NEW and tried again (TRG-8). */
  failure: Type.Optional(failureSchema),
};

export const algoRecordSchema = namedAnswerSchema('AlgoOrder', exactObject(algoMembers));

/** The JSON text of a trigger as it is now, with the order that it placed. */
export function algoRecordText(
  deployment: Pick<Deployment, 'exchange'>,
  trigger: Readonly<Trigger>,
  derived: DerivedOrder | null,
  json: RecordText = fapiText,
): string {
  const market = marketOf(deployment, trigger);
  const { type, ticks, failure, goodTillDate } = trigger;
  const trailing = type === 'TRAILING_STOP_MARKET';
  const quantity = trigger.closePosition ? '0' : quantityText(trigger.lots, market);
  const reason = failure === '' ? '' : json`,"failure":${fapiReasonText(failure)}`;
  const actual =
    derived === null ? unfiredText(quantity, json) : actualText(trigger, derived, { market, json });
  return json`{
    "algoId":"${formatUuid(trigger.createdAt, trigger.id)}",
    "clientAlgoId":"${clientOrderIdOf(trigger)}",
    "algoType":"CONDITIONAL",
    "orderType":"${type}",
    "symbol":"${market.symbol}",
    "side":"${trigger.side === buy ? 'BUY' : 'SELL'}",
    "positionSide":"BOTH",
    "timeInForce":"${goodTillDate === 0 ? trigger.timeInForce : 'GTD'}",
    "quantity":"${quantity}",
    "algoStatus":"${statusText(trigger, json)}",
    "triggerPrice":"${triggerPriceText(trigger, market)}",
    "price":"${ticks === 0 ? '0' : priceText(ticks, market)}",
    "icebergQuantity":null,
    "selfTradePreventionMode":"${trigger.selfTradeMode}",
    "workingType":"${trigger.workingType}",
    "priceMatch":"NONE",
    "closePosition":${trigger.closePosition},
    "priceProtect":${trigger.priceProtect},
    "reduceOnly":${trigger.reduceOnly},
    "activatePrice":"${trailing ? activatePriceText(trigger, market) : ''}",
    "callbackRate":"${trailing ? callbackText(trigger) : ''}",
    ${actual},
    "tpTriggerPrice":"0.000",
    "tpPrice":"0.000",
    "slTriggerPrice":"0.000",
    "slPrice":"0.000",
    "tpOrderType":"",
    "createTime":${trigger.createdAt},
    "updateTime":${trigger.updatedAt},
    "triggerTime":${trigger.triggeredAt},
    "goodTillDate":${goodTillDate}
    ${pairText(trigger, json)}${legsText(trigger, json)}${reason}}`;
}

/** FAPI has no word for a leg that waits for its parent (ATT-3): there it is NEW. */
function statusText({ status }: Readonly<Trigger>, json: RecordText): string {
  return status === 'PENDING' && json === fapiText ? 'NEW' : status;
}

function pairText({ pair }: Readonly<Trigger>, json: RecordText): string {
  if (!pair) return '';
  const id = formatUuid(pair.createdAt, pair.id);
  return pair.kind === 'position'
    ? json`,"pairId":"${id}"`
    : json`,"pairId":"${id}","parentId":"${id}"`;
}

/**
 * A trigger as it is now, by default with FAPI's names. Its order comes from memory, or from
 * history when memory has forgotten it.
 */
export function answerTrigger(
  deployment: Deployment,
  trigger: Readonly<Trigger> | StoredTrigger,
  json: RecordText = fapiText,
): Answered {
  const answer = (derived: DerivedOrder | null): Answer => ({
    status: 200,
    text: algoRecordText(deployment, trigger, derived, json),
  });
  if ('derived' in trigger) return answer(trigger.derived);
  const { account, order: id } = trigger;
  if (id === 0) return answer(null);
  const known = orderById(deployment.exchange, id) ?? deployment.findEndedOrder(account, { id });
  if (known !== undefined) return answer(known);
  return deployment.history.orderById({ id }).then((found) => {
    if (hasFailed(found)) return found;
    const order = must(found, 'what fired has an order');
    assert(!('route' in order), 'what fired has an order');
    return answer(order);
  });
}

/** Several triggers as a list. */
export function algoListText(
  deployment: Deployment,
  triggers: readonly StoredTrigger[],
  json: RecordText = fapiText,
): string {
  const texts = triggers.map((trigger) =>
    algoRecordText(deployment, trigger, trigger.derived, json),
  );
  return `[${texts.join(',')}]`;
}

const unfiredText = (quantity: string, json: RecordText): string => json`
  "actualOrderId":"",
  "actualPrice":"0.00000",
  "actualQty":"0",
  "actualType":"",
  "origQty":"${quantity}",
  "avgPrice":"0",
  "executedQty":"0",
  "cumQuote":"0"`;

function actualText(
  trigger: Readonly<Trigger>,
  derived: DerivedOrder,
  { market, json }: { readonly market: Market; readonly json: RecordText },
): string {
  const made = trigger.route === 'order' ? trigger.createdAt : trigger.triggeredAt;
  const average = averageText(derived, market);
  const quantity = quantityText(derived.filled, market);
  return json`
    "actualOrderId":"${formatUuid(made, trigger.order)}",
    "actualPrice":"${derived.filled === 0 ? '0.00000' : average}",
    "actualQty":"${quantity}",
    "actualType":"${derived.type}",
    "origQty":"${quantityText(derived.lots, market)}",
    "avgPrice":"${average}",
    "executedQty":"${quantity}",
    "cumQuote":"${moneyText(derived.filledNotional)}"`;
}
