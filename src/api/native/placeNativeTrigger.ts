// POST /api/v1/triggers (NAT-5): a trigger of the algo route (TRG-2), under native names.

import { type Static, Type } from 'typebox';
import { selfTradeModes } from '../../engine/orderTypes.ts';
import type { Outcome } from '../../engine/outcome.ts';
import { triggerTypes } from '../../engine/triggerTypes.ts';
import type { Context } from '../deployment.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { algoCommand, algoTimesInForce, requiresOfAlgo } from '../fapi/algoParameters.ts';
import type { Fields } from '../fields.ts';
import { gridFailures } from '../grid.ts';
import { type Answered, callerOf, defineCommand } from '../operation.ts';
import { answerAcceptedTrigger } from '../orderAnswer.ts';
import {
  choiceParameter,
  clientOrderIdParameter,
  decimalParameter,
  flagParameter,
  integerParameter,
  optional,
  symbolParameter,
} from '../parameterSchema.ts';
import { isRefusal } from '../readParameters.ts';
import type { Refusal } from '../refusal.ts';
import { attachedParameters, readAttached, refuseLegs } from './legParameters.ts';
import { createFapiFields, nativeRefusal } from './nativeRecord.ts';
import * as routes from './nativeRoutes.ts';
import { nativeTriggerAnswer, nativeTriggerSchema } from './nativeTrigger.ts';

const parameters = Type.Object({
  symbol: symbolParameter(),
  side: choiceParameter(['BUY', 'SELL']),
  type: choiceParameter(triggerTypes),
  quantity: optional(
    decimalParameter({ description: 'Floored to the lot; not with close_position.' }),
  ),
  trigger_price: optional(
    decimalParameter({ aliases: ['stop_price'], description: 'Of all but trailing stops.' }),
  ),
  price: optional(decimalParameter({ description: 'Of STOP and TAKE_PROFIT; else ignored.' })),
  time_in_force: optional(choiceParameter(algoTimesInForce, { refuses: 'blank' })),
  good_till_date: optional(
    integerParameter({ min: 0, description: 'Of GTD: at least 600 s ahead, in whole seconds.' }),
  ),
  callback_rate: optional(
    decimalParameter({ description: 'Of trailing stops, in percent: 0.1 to 10.' }),
  ),
  activate_price: optional(
    decimalParameter({
      aliases: ['activation_price'],
      description: 'Of trailing stops; the mark when absent.',
      refuses: 'blank',
    }),
  ),
  reduce_only: optional(flagParameter({ refuses: 'blank' })),
  close_position: optional(
    flagParameter({
      description: 'STOP_MARKET and TAKE_PROFIT_MARKET only.',
      refuses: 'blank',
    }),
  ),
  self_trade_prevention_mode: optional(choiceParameter(selfTradeModes, { refuses: 'blank' })),
  client_algo_id: optional(clientOrderIdParameter({ aliases: ['client_order_id'] })),
  ...attachedParameters,
});

type Parameters = Static<typeof parameters>;

export const placeNativeTrigger = defineCommand({
  ...routes.placeNativeTrigger,
  name: 'placeNativeTrigger',
  surface: 'native',
  weight: 1,
  countsAsOrder: true,
  idempotent: true,
  summary: 'Places a trigger: a stop, a take-profit or a trailing stop.',
  parameters,
  failures: [
    ...commandRejections.placeTrigger,
    ...gridFailures,
    'parameterMalformed',
    'parameterNotAllowed',
    'priceMissing',
    'orderEnded',
    'databaseFailed',
  ],
  response: nativeTriggerSchema,
  requires: requiresOfNativeTrigger,
  ofRequestAlone: true,
  command: (context, read) => {
    const { idempotencyKey, idempotencyRequest } = context;
    const command = algoCommand({
      account: callerOf(context),
      parameters: fapiParameters(read),
      idempotencyKey,
      idempotencyRequest,
    });
    if (isRefusal(command)) return nativeRefusal(command);
    const forbidden = read.reduce_only || read.close_position ? refuseLegs(read) : undefined;
    const attached = forbidden ?? readAttached(read, read.symbol);
    if (attached !== undefined && isRefusal(attached)) return attached;
    return {
      command: { ...command, attached },
      lane: 'order',
      answer: (outcome) => placed(context, outcome),
    };
  },
});

const fapiFields = createFapiFields(parameters);

/** What the type requires, by the rules of the algo route. */
function requiresOfNativeTrigger(
  { type, close_position: closePosition, time_in_force: timeInForce }: Partial<Parameters>,
  fields: Fields,
): Refusal | undefined {
  const sent = { type, closePosition, timeInForce };
  const refusal = requiresOfAlgo(sent, fapiFields(fields));
  return refusal && nativeRefusal(refusal);
}

function fapiParameters(read: Parameters) {
  return {
    symbol: read.symbol,
    side: read.side,
    type: read.type,
    timeInForce: read.time_in_force,
    goodTillDate: read.good_till_date,
    quantity: read.quantity,
    price: read.price,
    triggerPrice: read.trigger_price,
    callbackRate: read.callback_rate,
    activatePrice: read.activate_price,
    reduceOnly: read.reduce_only,
    closePosition: read.close_position,
    clientAlgoId: read.client_algo_id,
    selfTradePreventionMode: read.self_trade_prevention_mode,
  };
}

function placed(context: Context, outcome: Outcome): Answered {
  if (outcome.kind === 'rejected') return outcome.rejection;
  const { deployment } = context;
  return answerAcceptedTrigger(deployment, callerOf(context), outcome, (trigger) =>
    nativeTriggerAnswer(deployment, trigger),
  );
}
