// The enumerations that several answers show, under the names that the document uses. The words
// come from the engine; this file adds the words that exist only on the wire.

import { apiKeyStatuses, marginModes, rateTiers } from '../engine/marginModes.ts';
import { marketStatuses, underlyingTypes } from '../engine/marketTerms.ts';
import {
  cancelReasons,
  orderStatuses,
  orderTypes,
  selfTradeModes,
  timesInForce,
  workingTypes,
} from '../engine/orderTypes.ts';
import { triggerStatuses, triggerTypes } from '../engine/triggerTypes.ts';
import { namedAnswerSchema, wordsText } from './answerSchema.ts';

export const enumerations = {
  side: namedAnswerSchema('Side', wordsText(['BUY', 'SELL'])),
  /** The type of an order, or of a trigger that has no order yet. */
  orderType: namedAnswerSchema('OrderType', wordsText([...orderTypes, ...triggerTypes])),
  orderStatus: namedAnswerSchema('OrderStatus', wordsText(orderStatuses)),
  cancelReason: namedAnswerSchema('CancelReason', wordsText(cancelReasons)),
  /** GTD: a trigger with a date, and its LIMIT order. */
  timeInForce: namedAnswerSchema('TimeInForce', wordsText([...timesInForce, 'GTD'])),
  workingType: namedAnswerSchema('WorkingType', wordsText(workingTypes)),
  selfTradeMode: namedAnswerSchema('SelfTradePreventionMode', wordsText(selfTradeModes)),
  triggerType: namedAnswerSchema('TriggerType', wordsText(triggerTypes)),
  triggerStatus: namedAnswerSchema('TriggerStatus', wordsText(triggerStatuses)),
  /** The same without PENDING, which FAPI does not know (ATT-3). */
  algoStatus: namedAnswerSchema(
    'AlgoStatus',
    wordsText(['NEW', 'TRIGGERED', 'FINISHED', 'CANCELED', 'EXPIRED', 'FAILED']),
  ),
  marginMode: namedAnswerSchema('MarginMode', wordsText(marginModes)),
  marketStatus: namedAnswerSchema('MarketStatus', wordsText(marketStatuses)),
  underlyingType: namedAnswerSchema('UnderlyingType', wordsText(underlyingTypes)),
  apiKeyStatus: namedAnswerSchema('ApiKeyStatus', wordsText(apiKeyStatuses)),
  rateTier: namedAnswerSchema('RateTier', wordsText(rateTiers)),
  withdrawalStatus: namedAnswerSchema(
    'WithdrawalStatus',
    wordsText(['pending', 'completed', 'released']),
  ),
} as const;
