// POST /fapi/v1/algoOrder (conventions, 9.2): a trigger of the algo route, also a trailing one.

import { type Static, Type } from 'typebox';
import type { PlaceTrigger } from '../../engine/command.ts';
import { selfTradeModes, type TimeInForce, workingTypes } from '../../engine/orderTypes.ts';
import type { Outcome } from '../../engine/outcome.ts';
import { triggerTypes } from '../../engine/triggerTypes.ts';
import type { Context } from '../deployment.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { type Fields, isSent } from '../fields.ts';
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
import { algoRecordSchema, answerTrigger } from './algoRecord.ts';
import {
  conflictOfTrigger,
  requiresOfTrigger,
  triggerCommand,
  typeSynonyms,
} from './triggerTerms.ts';

/** Every time in force of the interface. GTD is for algo orders only (spec). */
export const algoTimesInForce = ['GTC', 'IOC', 'FOK', 'GTX', 'GTD'] as const;

const parameters = Type.Object({
  algoType: choiceParameter(['CONDITIONAL']),
  symbol: symbolParameter(),
  side: choiceParameter(['BUY', 'SELL']),
  type: choiceParameter(triggerTypes, { synonyms: typeSynonyms }),
  positionSide: optional(choiceParameter(['BOTH', 'LONG', 'SHORT'])),
  timeInForce: optional(choiceParameter(algoTimesInForce, { refuse: 'parameterMalformed' })),
  goodTillDate: optional(
    integerParameter({ min: 0, description: 'Of GTD: at least 600 s ahead, in whole seconds.' }),
  ),
  quantity: optional(decimalParameter()),
  price: optional(decimalParameter({ description: 'Of STOP and TAKE_PROFIT; else ignored.' })),
  triggerPrice: optional(
    decimalParameter({ aliases: ['stopPrice'], description: 'Of all but trailing stops.' }),
  ),
  callbackRate: optional(
    decimalParameter({ description: 'Of trailing stops, in percent: 0.1 to 10.' }),
  ),
  activatePrice: optional(
    decimalParameter({
      aliases: ['activationPrice'],
      description: 'Of trailing stops; the mark when absent.',
    }),
  ),
  reduceOnly: optional(flagParameter()),
  closePosition: optional(
    flagParameter({ description: 'STOP_MARKET and TAKE_PROFIT_MARKET only.' }),
  ),
  clientAlgoId: optional(clientOrderIdParameter({ aliases: ['newClientOrderId'] })),
  newOrderRespType: optional(choiceParameter(['ACK', 'RESULT'])),
  workingType: optional(choiceParameter(workingTypes)),
  priceProtect: optional(flagParameter()),
  priceMatch: optional(choiceParameter(['NONE'])),
  selfTradePreventionMode: optional(choiceParameter(selfTradeModes)),
});

type Parameters = Static<typeof parameters>;

export const placeAlgoOrder = defineCommand({
  name: 'placeAlgoOrder',
  surface: 'fapi',
  method: 'POST',
  path: '/fapi/v1/algoOrder',
  auth: 'key',
  weight: 1,
  countsAsOrder: true,
  idempotent: true,
  summary: 'Places a trigger: a stop, a take-profit or a trailing stop.',
  parameters,
  failures: [
    ...commandRejections.placeTrigger,
    ...gridFailures,
    'parameterNotAllowed',
    'orderEnded',
    'databaseFailed',
  ],
  response: algoRecordSchema,
  requires: requiresOfAlgo,
  command: (context, read) => {
    const command = commandOf(context, read);
    if (isRefusal(command)) return command;
    return { command, lane: 'order', answer: (outcome) => placed(context, outcome) };
  },
});

function requiresOfAlgo(
  { type, closePosition, timeInForce }: Partial<Parameters>,
  fields: Fields,
): Refusal | undefined {
  if (timeInForce === 'GTD' && !isSent(fields, 'goodtilldate')) {
    return { reason: 'parameterMissing', name: 'goodTillDate' };
  }
  return type === undefined
    ? undefined
    : requiresOfTrigger({ type, closePosition }, fields, 'triggerPrice');
}

function commandOf(context: Context, read: Parameters): PlaceTrigger | Refusal {
  const { clientAlgoId, triggerPrice, timeInForce = 'GTC', goodTillDate, ...rest } = read;
  const { idempotencyKey, idempotencyRequest } = context;
  // GTD limits how long the trigger waits. Its order is GTC with the same date (TRG-5).
  const own: TimeInForce = timeInForce === 'GTD' ? 'GTC' : timeInForce;
  const date = timeInForce === 'GTD' ? wholeSeconds(goodTillDate ?? 0) : undefined;
  return triggerCommand({
    account: callerOf(context),
    route: 'algo',
    conflict: conflictOfTrigger(read),
    idempotencyKey,
    idempotencyRequest,
    terms: {
      ...rest,
      timeInForce: own,
      triggerPrice: { name: 'triggerPrice', text: triggerPrice },
      callbackRate: read.callbackRate,
      activatePrice: read.activatePrice,
      goodTillDate: date,
      clientOrderId: clientAlgoId,
    },
  });
}

/** A good-till-date counts in whole seconds; the fraction of a second is dropped (9.2). */
function wholeSeconds(time: number): number {
  return time - (time % 1000);
}

function placed(context: Context, outcome: Outcome): Answered {
  if (outcome.kind === 'rejected') return outcome.rejection;
  const { deployment } = context;
  return answerAcceptedTrigger(deployment, callerOf(context), outcome, (trigger) =>
    answerTrigger(deployment, trigger),
  );
}
